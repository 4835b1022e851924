"""The kinds of switches that a class plays with."""

from generator.steps.kind import given, letter

KINDS = (
    given("switch.mask", letter("s_M", "s_{M}"), "input", "start"),
    given("switch.scale", letter("s_d", "s_{d}"), "input", "start"),
    given("switch.position", letter("s_PE", r"s_{\mathrm{PE}}"), "input", "start"),
    given("switch.heads", letter("s_h", "s_{h}"), "input", "start"),
)
