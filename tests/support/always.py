"""How many cases of a costly test run every time; its others carry the mark `ci`.

One table for tests whose cases are alike: what they prove of one case is proven of all in
`.ci/run`. Cases that run always lie evenly in the list of a test, the first one among them. Where a
test stands here with 0, a cheaper one proves the same property always.
"""

from collections import defaultdict
from collections.abc import Iterable, Iterator

import pytest

SELDOM = ("ci", "sweep", "reference", "whole")  # marks of what does not run always
# Of each sheet the battery in tests/sheets compares a blank with its solution always.
RENDER = {
    "test_accessibility": {
        "test_alternative_texts_are_of_the_sheets_language": 5,
        "test_booklet_help_cards_and_large_print_conform": 0,
        "test_each_sheet_conforms": 5,
        "test_text_survives_two_copies": 0,
        "test_title_language_headings_and_headers_of_tables": 5,
    },
    "test_attention_pages": {
        "test_asked_cells_have_the_size_that_the_brief_asks_for": 1,
        "test_cells_of_the_class_matrix_are_large_enough_to_write_in": 1,
    },
    "test_booklet": {
        "test_a_sheet_made_already_is_not_made_again": 0,
        "test_contents_name_each_sheet_with_the_page_it_begins_on": 0,
        "test_each_page_has_its_number_in_the_booklet_and_no_other": 1,
    },
    "test_continuation": {
        "test_a_further_page_says_whose_it_is": 2,
    },
    "test_copies": {
        "test_rules_survive_two_copies": 1,
    },
    "test_large_trace": {
        "test_no_memory_holds_the_whole_text": 1,
    },
    "test_options": {
        "test_a_qr_code_adds_no_page_and_stays_on_it": 1,
        "test_an_even_page_is_the_same_moved_by_the_wide_margin": 0,
        "test_each_sheet_stays_on_the_page_on_both_sides": 1,
        "test_in_large_print_letters_have_18_pt_in_drawings_too_and_nothing_is_off_the_page": 2,
        "test_large_print_has_no_small_type_and_stays_on_the_page": 1,
        "test_on_both_sides_the_punched_edge_is_white": 1,
    },
    "test_pdf": {
        "test_the_same_bytes_in_another_process": 1,
    },
    "test_pre_norm": {
        "test_gain_and_shift_leave_sheet_5_two_pages_each": 1,
    },
    "test_rms_norm": {
        "test_both_programs_compute_the_workbook": 1,
        "test_no_sheet_says_of_rmsnorm_what_is_true_of_layer_norm": 2,
        "test_the_same_sentences_stand_on_the_sheets_of_layer_norm": 0,
        "test_walk_and_workbook_say_it_neither": 1,
    },
    "test_series": {
        "test_a_sheet_of_the_series": 3,
    },
    "test_shows": {
        "test_the_fullest_teacher_page_stays_one_page": 0,
        "test_the_start_tab_says_it_in_lines_that_fit": 2,
    },
    "test_stamp": {
        "test_a_stamped_blank_does_not_hang_on_answers": 1,
        "test_stamped_pages_are_the_rendered_ones": 1,
    },
    "test_true_of_preset": {
        "test_the_info_leaf_of_eight_dimensions_has_few_pages": 1,
    },
}
WORKBOOK = {
    "test_excel_limits": {
        "test_names_of_sheets_and_of_cells": 1,
    },
    "test_exercise": {
        "test_all_right_is_all_green": 2,
        "test_every_verdict_is_the_evaluators": 1,
        "test_libreoffice_judges_alike": 1,
        "test_one_early_slip_is_one_red_cell": 1,
        "test_rounding_exactly_and_several_rounds": 0,
    },
    "test_exercise_settings": {
        "test_asked_rows_are_lettered_and_asked_cells_outlined_wherever_the_focus_is": 1,
        "test_judging_pauses_on_every_tab_while_anything_differs": 0,
    },
    "test_read_back": {
        "test_every_entry_in_a_real_workbook_is_found_again": 0,
        "test_every_kind_of_entry_survives_libreoffice": 1,
    },
    "test_start": {
        "test_a_vocabulary_too_long_for_one_cell": 0,
        "test_each_experiment_is_what_the_engine_computes": 1,
        "test_what_is_refused_changes_nothing_and_is_explained": 2,
        "test_what_is_typed_in_is_computed_with": 1,
    },
    "test_strict_xlsx": {
        "test_solution_and_exercise": 1,
    },
    "test_tabs": {
        "test_headers_are_unique": 1,
    },
    "test_troubles": {
        "test_the_reason_is_named_and_no_error_is_seen": 5,
    },
    "test_workbook": {
        "test_every_switch_both_ways_and_every_strategy": 0,
        "test_odd_tokens_stay_text": 0,
    },
    "test_workbook_parts": {
        "test_a_cut_has_only_the_tabs_of_its_sheets": 3,
    },
}
SHEETS = {
    "test_sheet3": {
        "test_the_embedding_is_brought_along_where_sheet_2_read_it_off": 1,
    },
    "test_sheet4b": {
        "test_the_info_leaf_of_one_head_fits_on_a_page": 2,
    },
    "test_sheet5": {
        "test_other_blocks_are_shown_as_they_are": 8,
    },
    "test_sheet6": {
        "test_blank_equals_solution_outside_the_answers": 0,
    },
    "test_sheetgenerate": {
        "test_with_few_words_no_page_is_next_to_empty": 2,
    },
    "test_sheetmath": {
        "test_every_structure_has_its_phrases": 6,
    },
    "test_sheetslides": {
        "test_only_the_last_page_has_answers": 0,
        "test_long_words_and_signs_cost_no_page": 0,
    },
}
CLASSROOM = {
    "test_alone": {
        "test_the_board_asks_for_what_the_class_has_in_common": 1,
    },
    "test_bad_batches": {
        "test_who_left_the_list_is_told_and_papers_of_another_size_go": 0,
    },
    "test_check": {
        "test_a_full_table_of_each_sheet_fits_its_page": 0,
        "test_each_control_of_each_sheet_and_level_says_what_it_is": 1,
    },
    "test_common_sheets": {
        "test_a_reference_is_handed_out_once_and_slides_stay_with_the_teacher": 0,
    },
    "test_key_closed": {
        "test_answers_that_break_off_leave_no_open_page": 0,
    },
    "test_leaves": {
        "test_leaves_of_a_class_are_the_rendered_ones": 1,
        "test_who_is_asked_otherwise_is_stamped_too_and_in_any_order": 0,
    },
    "test_names_file": {
        "test_a_corrected_name_is_printed_by_resume": 0,
    },
    "test_shared_rows": {
        "test_each_row_is_somebodys_or_printed_in_a_class_of_any_size": 4,
    },
}
OTHERS = {
    "tests/cli/test_command.py": {
        "test_a_reader_who_goes_away_ends_it_quietly": 1,
        "test_the_walk_ends_by_key": 1,
    },
    "tests/cli/test_make.py": {
        "test_any_token_works": 1,
        "test_only_what_is_asked_for": 4,
    },
    "tests/cli/test_processes.py": {
        "test_a_script_needs_no_guard": 0,
        "test_many_processes_make_the_same_files_as_one": 0,
    },
    "tests/cli/test_streams.py": {
        "test_an_output_that_takes_nothing_is_one_message": 4,
    },
    "tests/locales/test_check.py": {
        "test_each_problem_is_listed": 6,
    },
    "tests/notation/test_live.py": {
        "test_lines_follow_the_switches_in_every_round": 1,
        "test_other_models": 3,
    },
    "tests/package/test_doctor.py": {
        "test_every_system_has_a_command_for_all_of_it": 2,
    },
    "tests/package/test_training_guide.py": {
        "test_the_commands_run": 0,
    },
    "tests/presets/test_bpe.py": {
        "test_every_output_works_with_pieces_of_words": 1,
    },
    "tests/presets/test_left_out.py": {
        "test_workbooks_sheets_and_walk_are_made": 1,
    },
    "tests/sheets/test_claims.py": {
        "test_a_page_says_nothing_false": 6,
        "test_walk_says_nothing_false": 5,
    },
    "tests/sheets/test_left_out.py": {
        "test_a_preset_s_gaps_are_one_line": 1,
    },
    "tests/sheets/test_own_folder.py": {
        "test_a_class_gets_it_like_any_other": 0,
    },
    "tests/sheets/test_symbols.py": {
        "test_every_printed_letter_has_its_one_meaning": 1,
    },
    "tests/sheets/test_thread.py": {
        "test_also_in_english_and_with_start_values_of_ones_own": 8,
        "test_every_number_asked_for_is_at_hand_when_it_is_needed": 12,
    },
    "tests/training/test_workbooks.py": {
        "test_the_workbook_recalculates_to_the_trace": 2,
    },
}


def always() -> Iterator[tuple[str, int]]:
    """Each test of the tables by its whole name, and how many of its cases run always."""
    for folder, files in (
        ("render", RENDER),
        ("render/workbook", WORKBOOK),
        ("sheets", SHEETS),
        ("classroom", CLASSROOM),
    ):
        for file, tests in files.items():
            yield from _named(f"tests/{folder}/{file}.py", tests)
    for path, tests in OTHERS.items():
        yield from _named(path, tests)


def _named(path: str, tests: dict[str, int]) -> Iterator[tuple[str, int]]:
    return ((f"{path}::{name}", count) for name, count in tests.items())


def mark(items: Iterable[pytest.Item]) -> None:
    """Give the mark `ci` to those cases of the tests in the tables that do not run always."""
    counts = dict(always())
    cases = defaultdict(list)
    for item in items:
        name = item.nodeid.partition("[")[0]
        if name in counts and not any(map(item.get_closest_marker, SELDOM)):
            cases[name].append(item)
    for name, found in cases.items():
        kept = spread(len(found), counts[name])
        for number, item in enumerate(found):
            if number not in kept:
                item.add_marker(pytest.mark.ci)


def spread(many: int, count: int) -> list[int]:
    """So many of the numbers below `many`, evenly, from 0 on."""
    count = min(count, many)
    return [k * many // count for k in range(count)]
