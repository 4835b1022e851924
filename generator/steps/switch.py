"""The kinds of switches that a class plays with."""

from generator.steps.kind import given, letter

KINDS = (
    given("switch.mask", letter("on_M", r"\mathrm{on}_{M}"), "input", "start"),
    given("switch.scale", letter("on_d", r"\mathrm{on}_{d}"), "input", "start"),
    given("switch.position", letter("on_PE", r"\mathrm{on}_{\mathrm{PE}}"), "input", "start"),
    given("switch.heads", letter("on_head", r"\mathrm{on}_{\mathrm{head}}"), "input", "start"),
    given("switch.learning", letter("on_W", r"\mathrm{on}_{W}"), "update", "start"),
)
