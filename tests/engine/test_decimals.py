"""How many decimals a step has on paper: the most specific key wins."""

from generator.engine.decimals import decimals_for, tails

KEYS = {"default": 1, "exp": 3, "output.exp": 5, "head2.exp": 6, "residual": 4, "residual2": 7}


def test_the_longest_tail_wins(step, expected):
    assert decimals_for(KEYS, step) == expected


def test_a_whole_name_beats_every_tail():
    keys = {"exp": 1, "head1.exp": 2, "block1.head1.exp": 3}
    assert decimals_for(keys, "block1.head1.exp") == 3
    assert decimals_for(keys, "block2.head1.exp") == 2


def test_keys_of_a_preset_beat_the_built_in_ones():
    assert decimals_for({"angle": 2}, "position.angle") == 2
    assert decimals_for({"default": 2}, "position.angle") == 4


def test_all_gradients_go_by_one_key():
    assert decimals_for({"grad": 5, "scores": 1}, "step2.grad.block1.head1.scores") == 5


def test_without_keys_there_are_two():
    assert decimals_for({}, "block1.head1.scores") == 2


def test_tails_from_the_whole_name_to_the_last():
    assert list(tails("block1.norm1")) == ["block1.norm1", "block1.norm", "norm1", "norm"]
