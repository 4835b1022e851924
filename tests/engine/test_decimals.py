"""How many decimals a step has on paper: the most specific key wins."""

from generator.engine.decimals import decimals_for

KEYS = {"default": 1, "exp": 3, "output.exp": 5, "head2.exp": 6, "residual": 4, "residual2": 7}


def test_the_longest_tail_wins(step, expected):
    assert decimals_for(KEYS, step) == expected


def test_keys_of_a_preset_beat_the_built_in_ones(keys, step, expected):
    assert decimals_for(keys, step) == expected
