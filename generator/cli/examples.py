"""What `--help` shows below the options of each command."""

MAIN = """\
examples:
  paperformer make                                  the preset's own sentence
  paperformer make "Die Katze sitzt auf der Matte" --preset brille
  paperformer walk "The cat sits" --language en     step by step in the terminal
  paperformer doctor                                what is installed, what is missing
"""
MAKE = """\
examples:
  paperformer make "Die Katze sitzt auf der Matte"
  paperformer make --only xlsx --rounding exact
  paperformer make --sheets 4a --preset brille --level 1 --variant blank --only pdf
  paperformer make --set "block1.head1.weight.query[2,1]=0.3" --temperature 0.5,1

files go to OUT/<preset>-<words>-<language>/: hand-out (blank, exercise), teacher (solution)
"""
BATCH = """\
examples:
  paperformer batch 28 --sheets 4a
  paperformer batch 8b.csv --sheets 4a,6 --vary numbers
  paperformer batch course.xlsx --versions 10 --header "Linear algebra, week 3"
  paperformer batch 8b.csv --sheets 4a,6 --resume

a class list is CSV or XLSX with the columns id and, if you like, name, sentence, preset, level,
language; files go to OUT/<list>/: hand-out (one folder per pupil, class PDFs for the copier) and
teacher (solutions, key, check page, names, manifest)
"""
EXAM = """\
examples:
  paperformer exam 8b.csv --sheets 4a,6 --versions A,B --minutes 60
  paperformer exam 12 --sheets 4a --vary numbers --level 3 --grades 1-6
  paperformer grade outputs/exam-8b/collected       marks what comes back, with the exam's points

files go to OUT/exam-<list>/: hand-out (class-exam.pdf for the copier, one folder per pupil) and
teacher (expectation, solutions, seating, a table for the second marker, scheme.toml, manifest)
"""
REISSUE = """\
example:
  paperformer reissue outputs/8b/teacher/manifest.json K7QX2MPD
"""
GRADE = """\
examples:
  paperformer grade outputs/8b/collected            results go to outputs/8b/collected/marks
  paperformer grade ~/Downloads/8b --batch outputs/8b --scheme scheme.toml
  paperformer grade ~/Downloads/8b --batch outputs/8b --template    a list to type into, from paper

drop workbooks, filled PDFs, ZIPs and the typed list into one folder; run the same command again
after an appeal: your decisions stand in marks/decisions.toml, and marks/journal.csv says what
changed
"""
SERVE = """\
examples:
  paperformer serve                                 then open http://127.0.0.1:8000
  paperformer serve --host 0.0.0.0 --port 8080      for everybody in the school's network
"""
WALK = """\
examples:
  paperformer walk --preset paris
  paperformer walk "Die Katze sitzt" --all | less -R
  paperformer walk --step "block1.head1.*"
  paperformer walk --preset katze --next-word Matte --train 1 --learn output.matrix

keys: space or Enter goes on, b back, q ends
"""
TRACE = """\
examples:
  paperformer trace "Die Katze sitzt" --format csv --out trace.csv
  paperformer trace --preset paris --format text --step "block1.head1.*"
  paperformer trace --preset katze --next-word Matte --grad --step "grad.*" --format text
"""
PAGE = """\
examples:
  paperformer page public --pyodide ~/Downloads/pyodide
  python -m http.server --directory public 8000      # then open http://127.0.0.1:8000

where to get Pyodide, how to put the page on a web server: docs/how-to/page-without-a-server.md
"""
GALLERY = """\
examples:
  paperformer gallery gallery
  paperformer gallery stick --small --language de
  paperformer gallery public --address https://school.example/paperformer/

open DIR/index.html in a browser; what is in it: docs/how-to/gallery.md
"""
GENERATE = """\
examples:
  paperformer generate "Die Katze" --preset katze-trained --tokens 4
  paperformer generate "Die Katze" --strategy sample --temperature 0.8 --seed 7
  paperformer generate 你 --preset nihao --format json
"""
PRESETS = """\
examples:
  paperformer presets list
  paperformer presets new mine.toml
  paperformer presets check mine.toml
  paperformer make --preset mine.toml
"""
LANGUAGES = """\
examples:
  paperformer languages new fr
  paperformer languages check fr > to-do.csv
  paperformer make --language ./fr

what to translate and what to look at: docs/how-to/add-a-language.md
"""
SHEETS = """\
examples:
  paperformer sheets list
  paperformer sheets check ./sheet7

how a sheet of your own is written: docs/how-to/add-a-worksheet.md
"""
TRAIN = """\
examples:
  paperformer presets train mine-spec.toml --out mine.toml --curve mine.svg
  paperformer presets check mine.toml
  paperformer presets train --from katze-trained --steps 600 --out further.toml

the same spec gives the same preset; beside it stands FILE.history.json, how it was learned, which
sheet 8 shows; how to write a spec: docs/how-to/train-a-preset.md
"""
IMPORT = """\
examples:
  paperformer presets import gpt2/model.safetensors --config gpt2/config.json --out gpt2.toml
  paperformer presets import gpt.safetensors --mapping gpt.toml --out mine.toml
  paperformer walk "The cat sat on the" --preset gpt2.toml --step "block5.head3.*"
  paperformer presets cut "The cat sat on" --preset gpt2.toml --head block5.head3 --out head.toml

what is read and how large a model may be for what: docs/how-to/real-weights.md
"""
