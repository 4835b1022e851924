"""Write frozen_steps.json, the losses of PyTorch's first steps of the shipped specs."""

import json
from pathlib import Path

from tests.training.test_learners import shipped, steps
from tests.training.torch_learner import TorchLearner

TARGET = Path(__file__).with_name("frozen_steps.json")


def main() -> None:
    """The losses of free and of rounded steps, by preset."""
    found = {}
    for name in ("katze-trained", "nihao"):
        task = shipped(name)
        found[name] = [loss for loss, _ in steps(task, TorchLearner(task))]
    TARGET.write_text(json.dumps(found, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
