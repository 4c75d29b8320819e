#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# The pages about papers: verdicts follow made-up numbers, and a page made of very short runs is complete.
# shellcheck source=tests/cli/functions.sh
. "$(dirname "$0")/functions.sh"
if ! command -v python3 >/dev/null 2>&1; then
    echo "there is no python3, which writes the pages; 'make test' installs it"
    exit 1
fi

expect 0 python3 -B -m unittest discover -s "$source/tools/papers"
says err "OK"

# page: mechanisms, formulations, figures and verdicts; progress on the terminal.
expect 0 python3 -B "$source/tools/papers/000.py" --quick --holon "$holon" --output pages
page=pages/000.md
says $page "Made with --quick"
lacks $page "not measured"
# The formulations of the paper, and null-space, which solves the same equations.
cat >names <<'END'
lagrange
baumgarte
penalty
augmented-lagrangian
augmented-lagrangian-projected
coordinate-partitioning
direct-correction
null-space
END
for model in four-bar five-bar-pendulum spatial-slider-crank iltis-suspension; do
    says err "$model: comparing"
    says $page "[\`$model\`](../../models/$model/README.md)"
    says $page "(000/$model.svg)"
    while read -r name; do
        says pages/000/$model.svg ">$name</text>"
    done <names
done
while read -r name; do
    same "$(grep -cE "^\| \`$name\` \| [0-9.e-]+ \|" $page)" 4 "lines of $name"
    [ -f "$source/docs/methods/$name.md" ] || fail "the page of $name is linked and not there"
done <names
grep -qE '^\| Fig\. 5 \| four-bar \| .* \| (yes|\*\*no\*\*) \|$' $page || fail "no verdict on the four-bar"
says $page " statements agree."

# Redundant constraints: models, figures and verdicts.
expect 0 python3 -B "$source/tools/papers/001.py" --quick --holon "$holon" --output pages
says pages/001.md "Made with --quick"
lacks pages/001.md "not measured"
for model in pendulum-two-rods pendulum-two-bearings pendulum-preload spatial-parallelogram; do
    says pages/001.md "[\`$model\`](../../models/$model/README.md)"
    grep -qE "^\| (Fig|Sec)\. [0-9]+ \| \`$model\` \| .* \| (yes|\*\*no\*\*) \|\$" pages/001.md ||
        fail "no verdict on $model"
done
says pages/001.md " statements agree."

# Energy-preserving and -decaying schemes: models, verdicts, the example that writes multipliers.
expect 0 python3 -B "$source/tools/papers/002.py" --quick --holon "$holon" --output pages
says pages/002.md "Made with --quick"
lacks pages/002.md "not measured"
for model in free-rigid-body universal-joint wind-turbine; do
    says pages/002.md "[\`$model\`](../../models/$model/README.md)"
    grep -qE "^\| (Fig|Sec)\. [0-9.]+ \| \`$model\` \| .* \| (yes|\*\*no\*\*) \|\$" pages/002.md ||
        fail "no verdict on $model"
done
says pages/002.md " statements agree."
says pages/002.md "ED at the step of the paper loses energy where stiff parts rotate."
series=$(dirname "$holon")/examples/multipliers_series
expect 0 "$series" four-bar run.until=0.01 run.step=0.001
lines out 12
expect 2 "$series" four-bar soon
says err "argument 2, 'soon', should be PATH=VALUE"
expect 1 "$series" four-bar run.nonsense=1
says err "nonsense"
expect 1 "$series" nowhere
says err "nowhere"

# Explicit integration: models, verdicts of both forms, the example that writes the ball's run.
expect 0 python3 -B "$source/tools/papers/003.py" --quick --holon "$holon" --output pages
says pages/003.md "Made with --quick"
lacks pages/003.md "not measured"
for model in ball-in-bowl biped; do
    says pages/003.md "[\`$model\`](../../models/$model/README.md)"
    grep -qE "^\| Fig\. [23][a-d] \| \`$model\` \| .* \| (yes|\*\*no\*\*) \| [^|]* \| (yes|\*\*no\*\*) \|\$" pages/003.md ||
        fail "no verdicts on $model"
done
says pages/003.md " statements agree"
series=$(dirname "$holon")/examples/ball_in_bowl_series
expect 0 "$series" until=0.05 every=0.01 formulation=explicit-dae formulation.correction=stages
lines out 7
expect 2 "$series" until=soon
says err "argument 1, 'until', should be NAME=VALUE"
expect 1 "$series" formulation.nonsense=1
says err "nonsense"

# Singular configurations: tables, verdicts, every setting that was tried.
expect 0 python3 -B "$source/tools/papers/004.py" --quick --holon "$holon" --output pages
says pages/004.md "Made with --quick"
lacks pages/004.md "not measured"
for model in slider-crank double-four-bar; do
    says pages/004.md "[\`$model\`](../../models/$model/README.md)"
    grep -qE "^\| Table [123] \| \`$model\` \| .* \| (yes|\*\*no\*\*) \|\$" pages/004.md || fail "no verdict on $model"
done
says pages/004.md " statements agree."

# The pages in the repository are full ones, of the same statements.
statements() { grep -E '^\| (Fig\.|Sec\.|Eq\.|Table [123] )' "$1" | cut -d '|' -f 2-4; }
for name in 000 001 002 003 004; do
    published=$source/docs/papers/$name.md
    lacks "$published" "Made with --quick"
    statements pages/$name.md >quick
    statements "$published" >full
    cmp -s quick full || fail "docs/papers/$name.md has other statements than its tool: run make papers"
    for figure in "$source"/docs/papers/$name/*.svg; do
        says "$published" "($name/${figure##*/})"
        [ -s "pages/$name/${figure##*/}" ] || fail "the tool does not draw $name/${figure##*/}"
    done
done
finish
