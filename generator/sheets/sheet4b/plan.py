"""Sheet 4b, mask and heads: one row without the future, a second head, both side by side."""

from dataclasses import dataclass

import numpy as np

from generator.engine.fitness import FreeHead, unmasked
from generator.engine.trace import Trace
from generator.insight.attention import CONCAT, AttentionRow, sight
from generator.sheets import attending
from generator.sheets import plan as plans
from generator.sheets.attending import AT, ROW, visible_to
from generator.sheets.plan import MOST_NUMBERS, seconds
from generator.sheets.sheet4a.plan import EXAMPLE, OWN, WIDEST, Plan4a, about

LEAST_VISIBLE = 2  # a share of one token alone is 1 and teaches nothing
MOST_EXPLAINED = 6  # tokens; else the page has no room for one more question
STEPS = ("scores", "scaled", "masked", "exp")


@dataclass(frozen=True, kw_only=True)
class Plan4b(Plan4a):
    """The own token is the one whose row is masked, from powers that are given for all tokens.

    Pupils have its powers and shares without the mask from sheet 4a.
    `heads` are the heads shown (1, or 1 and 2), `computed` those whose whole way it goes, `mixed`
    those whose output is asked. `explains` are further questions: by what "factor" shares grow;
    what is seen by the token that sees one "alone".
    """

    heads: tuple[int, ...]
    computed: tuple[int, ...]
    mixed: tuple[int, ...]
    explains: tuple[str, ...]

    def in_heads(self, trace: Trace, token: int) -> list[AttentionRow]:
        """A token's rows in the heads shown."""
        return [head_row(trace, number, token) for number in self.heads]


def plan(trace: Trace, level: int) -> Plan4b:
    """What sheet 4b shows and asks at a level, for this Trace's sentence.

    Heads 1 and 2 of block 1; without a second head the sheet ends with the output of the first.
    Raises `UserError` where the preset has no attention, no mask or is too wide for paper, where
    the sentence has more than 12 tokens or too few to mask some.
    """
    _require_fit(trace)
    worked, own = (head_row(trace, 1, token) for token in _tokens(trace))
    heads, width = ((1, 2) if trace.preset.heads > 1 else (1,)), trace.preset.d_head
    computed = heads[1:] if level > 1 else ()
    mixed, token = (1, *computed), own.token
    asked = {(CONCAT, token, c) for c in range(len(heads) * width)} if len(heads) > 1 else set()
    for row in (head_row(trace, number, token) for number in mixed):
        asked |= row.share_cells() | row.output_cells(width)
    rows = own.visible[: max(0, MOST_NUMBERS[level] - len(asked)) // ROW if computed else 0]
    asked |= {(head(h, name), token, j) for h in computed for name in STEPS for j in rows}
    parts = [
        head_row(trace, h, row.token).parts(f"{prefix}{h}")
        for h in heads
        for row, prefix in ((worked, EXAMPLE), (own, OWN))
    ]
    terms, joins = len(mixed) * len(own.visible), trace.preset.heads > 1
    spent = terms * (attending.share_seconds() + width * seconds()["weighted"])
    k, n, hidden = len(computed), len(own.visible), len(trace.tokens) - len(own.visible)
    spent += k * len(rows) * attending.row_seconds(width) + joins * 2 * width * seconds()["copy"]
    fits = level == 3 and k == 1 and len(trace.tokens) <= MOST_EXPLAINED
    explains = ("factor", "alone")[: int(fits) if joins else level - 1]
    # copied are shares into both heads' table, the class's matrix or the second head's
    checks = {"sum": terms + k * n, "compare": len(mixed) + k}  # of shares, and of scores
    return Plan4b(
        **about(worked, own),
        heads=heads,
        computed=computed,
        mixed=mixed,
        explains=explains,
        rows=rows,
        outputs=width,
        extra=sum(parts, unmasked(trace, AT)),
        asked=frozenset(asked),
        minutes=plans.minutes(spent, 1 + len(mixed) + joins),
        leaf="4b-one-head" if not joins else "4b-explained" if explains else "",
        beside=plans.practised([width] * k, copy=(k + 2 * joins) * n, mark=hidden, **checks),
    )


def head(number: int, name: str) -> str:
    """The full name of a step of a head of the first block, counted from 1."""
    return f"block1.head{number}.{name}"


def head_row(trace: Trace, number: int, token: int) -> AttentionRow:
    """A token's row in such a head, as the mask leaves it."""
    at = FreeHead(f"block1.head{number}")
    return AttentionRow(trace, at, token, visible_to(trace, token))


def _require_fit(trace: Trace) -> None:
    attending.require_attention(trace, "4b", WIDEST, "'katze'")
    mask = f"{AT}.mask"
    plans.demand(mask in trace and np.isinf(trace[mask].values).any(), "4b.mask", trace)
    plans.demand(sight(trace, AT) in ("causal", "strict"), "4b.later", trace)
    plans.demand(f"{AT}.shifted" not in trace, "4b.shifted", trace)
    plans.require_shown(trace)


def _tokens(trace: Trace) -> tuple[int, int]:
    """The worked token and the pupils' own, which must see some tokens and have some masked."""
    worked, own = trace.worked, trace.exercise
    both = worked is not None and own is not None and visible_to(trace, worked)
    fits = both and LEAST_VISIBLE <= len(visible_to(trace, own or 0)) < len(trace.tokens)
    plans.demand(fits, "4b.tokens", trace, least=LEAST_VISIBLE)
    return worked or 0, own or 0
