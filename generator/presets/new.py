"""A new preset: the name that its file gives it, and a commented file to start from."""

import re
from pathlib import Path

from generator.engine.activations import ACTIVATIONS
from generator.engine.masks import MASKS
from generator.errors import UserError
from generator.locales.folders import languages
from generator.presets.schema import NAME


def preset_name(place: Path, example: str) -> str:
    """The name of the preset that is to be written to a file.

    Raises `UserError`, which says `example`, for a file name that holds no preset's name.
    """
    if place.suffix != ".toml" or not re.fullmatch(NAME, place.stem):
        raise UserError(
            f"--out: found {place.name!r}, expected a name of small letters, digits and hyphens "
            f"that ends in .toml, such as {example}"
        )
    return place.stem


def new_preset_text(name: str) -> str:
    """A complete preset file of that name, every key explained, valid as it is.

    Keys that it does not need stand in it as comments. Raises `UserError` for a name that a preset
    cannot have.
    """
    if not re.fullmatch(NAME, name):
        raise UserError(
            f"a preset cannot be called {name!r}: expected small letters, digits and hyphens, "
            "at most 40, such as 'my-preset'"
        )
    text = TEXT.replace("@NAME@", name).replace("@LANGUAGES@", " or ".join(languages()))
    masks = "; ".join(f"{mask}: {form.says}" for mask, form in MASKS.items())
    return text.replace("@ACTIVATIONS@", ", ".join(ACTIVATIONS)).replace("@MASKS@", masks)


TEXT = """\
# What this preset is for, in one line: `paperformer presets list` shows it for shipped ones.
# Check it with `paperformer presets check FILE`; a line that begins with # changes nothing.

format = 1          # of this file; always 1
name = "@NAME@"     # small letters, digits and hyphens
language = "de"     # the language of the words below: @LANGUAGES@
title = { de = "Mein Modell", en = "My model" }
# The sentence that is taken when none is given, in each language of the sheets.
sentence = { de = "Der Hund jagt die kleine Ente", en = "The dog chases the small duck" }
rounding = "paper"  # paper: each step is rounded, as by hand; exact: nothing is rounded
meaningful = false  # true only if the numbers were built or learned so that results mean something
# worked = "Ente"       # the token that a worksheet works through (or several: ["Ente"]) …
# exercise = "kleine"   # … and the one that it asks; both or neither

[tokenizer]
kind = "word"       # word: white space and punctuation; character: each character; bpe
# merges = ["e n", "s en"]  # with bpe, or { train = "a text", count = 20 }
# level = "character"       # with bpe: character or byte
# split = "spaces"          # before merges: spaces, or gpt2 (with level "byte", listed merges)

[model]
d_model = 4         # numbers in the vector of a token
heads = 2           # attention heads in each block
# d_head = 2        # numbers in a query, key or value; d_model ÷ heads if left out
d_ff = 4            # width of the feed-forward network
blocks = 1
# dimensions = ["animal", "thing", "action", "place"]  # names of d1, d2, …
parts = ["attention", "residual", "feedforward", "output"]  # leave out what you do not need

[positions]
kind = "sinusoidal" # sinusoidal; learned (needs the weight "position"); none
input_decimals = 1  # rounds the input, in exact arithmetic too; leave out for no such rounding

[mask]
kind = "causal"     # @MASKS@; none: all

[norm]
kind = "post"       # post: after each part; pre: before it; none
form = "layer"      # layer: (x − mean) ÷ deviation; rms: x ÷ root mean square, without a beta
epsilon = 0.0001    # added below the root, so that equal numbers in a row are no problem
final = false       # one more norm after the last block

[softmax]
base = "e"          # "e", 2 or 3
shifted = "auto"    # is a row's maximum subtracted first? never, always, auto: where needed

[activation]
kind = "relu"       # @ACTIVATIONS@

[output]
kind = "tied"       # tied: the embeddings again; own: the weight "output.matrix"; none
positions = "last"  # last: predict after the last token; all: after every token too

[start]
kind = "sentence"   # sentence; matrix: value holds a row for each token; vector: the last one
# value = [[1, 0, 0, 1], [0, 1, 0, 1]]  # here for two tokens

[sampling]
temperatures = [0.5, 1.0, 2.0]  # the next token is chosen at 1, or else at the first
strategy = "greedy" # greedy; sample, top-k, top-p draw with `random`
# k = 3             # top-k: how many words stay
# p = 0.9           # top-p: the share that the words that stay must reach
# random = 0.37     # the random number that draws, from 0 up to below 1
# stop = "schläft"  # the word that ends a generated text

[decimals]          # on paper, 0 to 8; by the last name of a step, or a longer end of its name
default = 2
exp = 3
sum = 3
weights = 3
"output.probabilities" = 3

[vocabulary]
unknown = "draw"    # a word that is not below: draw its numbers, or error
own = "yield"       # yield: words of the sentence only, if it has others; keep: those below as well
# reserved = ["d1"] # dimensions that are 0 in a word with drawn numbers
seed = 1            # another seed draws other numbers
# table = { words = "words.txt", file = "x.safetensors", key = "…" }  # in place of the words below

[vocabulary.words]  # each word with its d_model numbers; at most 4 decimals for paper
Der = [0.9, 0.1, 0.0, 0.2]
Hund = [0.1, 0.9, 0.3, 0.0]
jagt = [0.0, 0.2, 0.8, 0.5]
die = [0.8, 0.0, 0.1, 0.3]
kleine = [0.4, 0.3, 0.0, 0.9]
Ente = [0.2, 0.7, 0.1, 0.6]

[translation.en]    # the same numbers under other words; needed for each word above
Der = "The"
Hund = "dog"
jagt = "chases"
die = "the"
kleine = "small"
Ente = "duck"

# Weights by the name of their step, for row vectors: x · W. A value is a table of numbers, or
# "select d1 d2", "identity", "0.5 identity", "zero", "draw FROM TO STEP" (multiples of STEP),
# or { file = "x.safetensors", key = "name in it" }.
[weights]
"block1.head1.weight.query" = "select d1 d2"              # d_model × d_head
"block1.head1.weight.key" = "select d3 d4"
"block1.head1.weight.value" = "select d2 d4"
"block1.head2.weight.query" = "select d3 d4"
"block1.head2.weight.key" = "select d1 d2"
"block1.head2.weight.value" = "select d1 d3"
# "block1.head1.bias.query" = [0, 0]                      # the same for key and value
"block1.weight.output" = "identity"                       # W_O: heads·d_head × d_model
# "block1.bias.output" = [0, 0, 0, 0]                     # only with W_O
# "block1.gain1" = [1, 1, 1, 1]                           # norm after attention; gain2 and beta2
# "block1.beta1" = [0, 0, 0, 0]                           # after the feed-forward network
"block1.weight.hidden" = "draw -1 1 0.5"                  # d_model × d_ff
# "block1.bias.hidden" = [0, 0, 0, 0]
"block1.weight.feedforward" = [                           # d_ff × d_model
  [1, 0, 0, 0],
  [0, 1, 0, 0],
  [0, 0, 1, 0],
  [0, 0, 0, 1],
]
# "block1.bias.feedforward" = [0, 0, 0, 0]
# "final.gain" = [1, 1, 1, 1]                             # with [norm] final = true; final.beta
# "position" = "draw -0.5 0.5 0.1"                        # learned: a row for each position
# "output.matrix" = [[1, 0, 0, 0], [0, 1, 0, 0]]  # own: a row for each word (here two)
# "output.bias" = [0, 0, 0, 0, 0, 0]                               # a number for each word

# [vary."vocabulary.embedding"]  # what may change from pupil to pupil
# from = -0.9
# to = 0.9
# step = 0.1
# zeros = 0.3                    # the share of zeros among the numbers

# [compare]                      # a row that somebody else printed, shown beside ours by `walk`
# title = { de = "Vergleich", en = "Comparison" }
# note = { de = "Auf der Folie gerundet.", en = "Rounded on the slide." }
# step = "block1.head1.output"
# row = 3                        # counted from 1
# values = [0.1, 0.2, 0.3, 0.4]

# [shows]                        # what there is to see: sheet 4a, Start tab, walk
# de = "Jedes Wort schaut auf das Wort davor."
# en = "Each word looks at the word before it."

# [[behaviour]]                  # what the model is held to; any number of these
# rule = "previous"              # same, after-same, kinds, words, predicts, continues, repeats,
#                                # writes
# head = "block1.head1"
# least = 0.8                    # the share that it must give at least
# tokens = 7                     # in sentences of at most so many tokens
# who = ["action"]               # kinds (named dimensions) or words that look …
# at = ["animal"]                # … at these; with predicts the word, with writes the texts …
# sentence = "Der Hund"          # … after this sentence
"""
