"""Turns at the places where work is done: fair between clients, left at any time, never lost."""

import asyncio

from generator.web.jobs import Turns


async def in_turn(places: int, *clients: str) -> list[str]:
    """The order in which turns come that are asked for one after the other."""
    turns, came = Turns(places), []

    async def one(client: str) -> None:
        async with turns.taken(client):
            came.append(client)
            await asyncio.sleep(0)

    await asyncio.gather(*map(one, clients))
    assert turns.places == places
    assert not turns.line
    return came


def test_forty_of_one_client_do_not_shut_another_out():
    came = asyncio.run(in_turn(1, *["greedy"] * 40, "b", "c", "b"))
    assert came.index("b") == 2
    assert came.index("c") == 3
    assert came[5] == "b"
    assert came.count("greedy") == 40


def test_one_client_s_turns_come_as_they_were_asked_for():
    asked = [f"{k % 3}{k}"[:1] for k in range(9)]
    assert asyncio.run(in_turn(1, *asked)) == asked
    assert asyncio.run(in_turn(4, *asked)) == asked


def test_who_stops_waiting_or_is_stopped_gives_the_turn_on():
    async def told() -> list[str]:
        turns, came = Turns(1), []

        async def one(name: str) -> None:
            async with turns.taken("same", name):
                came.append(name)
                await asyncio.sleep(0.01)

        works, waits, called, last = (asyncio.create_task(one(name)) for name in "abcd")
        await asyncio.sleep(0)
        assert [turn.name for turn in turns.line] == ["b", "c", "d"]
        waits.cancel()
        await asyncio.sleep(0)
        assert [turn.name for turn in turns.line] == ["c", "d"]
        works.cancel()
        await asyncio.sleep(0)
        called.cancel()  # its turn has come, but it does not know yet
        await asyncio.wait_for(last, 5)
        assert turns.places == 1
        return came

    assert asyncio.run(told()) == ["a", "d"]
