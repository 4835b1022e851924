"""A step name taken apart, once for everybody."""

import pytest

import generator
from generator.engine.place import Place, place_of

NAMES = {
    "tokens": Place(1, None, None, "tokens"),
    "round2.tokens": Place(2, None, None, "tokens"),
    "block1.head2.scores": Place(1, 1, 2, "scores"),
    "round12.block3.head10.weight.query": Place(12, 3, 10, "weight.query"),
    "block2.mean1": Place(1, 2, None, "mean", 1),
    "block1.norm2": Place(1, 1, None, "norm", 2),
    "final.mean": Place(1, None, None, "mean", None, True),
    "block1.head1.contribution3": Place(1, 1, 1, "contribution", 3),
    "output.exp": Place(1, None, None, "output.exp"),
    "bpe.merge3.pairs": Place(1, None, None, "bpe.merge.pairs", 3),
    "bpe.encoding.rule2": Place(1, None, None, "bpe.encoding.rule", 2),
    "step2.block1.head2.scores": Place(1, 1, 2, "scores", step=2),
    "grad.block1.head2.scores": Place(1, 1, 2, "grad", of="block1.head2.scores"),
    "grad.final.norm": Place(1, None, None, "grad", final=True, of="final.norm"),
    "step3.grad.block1.mean2": Place(1, 1, None, "grad", 2, step=3, of="block1.mean2"),
    "grad.input.from.block1.head1.query": Place(
        1, None, None, "grad", of="input", use="block1.head1.query"
    ),
    "grad.block1.normalised1.projection": Place(
        1, 1, None, "grad.projection", 1, of="block1.normalised1"
    ),
    "step2.update.output.matrix": Place(1, None, None, "update", step=2, of="output.matrix"),
}


@pytest.mark.parametrize(("name", "place"), NAMES.items())
def test_a_name_says_its_place(name: str, place: Place):
    assert place_of(name) == place


def test_an_empty_name_says_none():
    with pytest.raises(ValueError, match="no step name"):
        place_of("")


def test_a_step_carries_its_place():
    trace = generator.compute(preset="katze")
    assert trace["block1.head2.scores"].place == Place(1, 1, 2, "scores")
    assert {step.place.block for step in trace} == {None, 1}
