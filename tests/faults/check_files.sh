# SPDX-License-Identifier: BSD-3-Clause
# shellcheck shell=sh
# What every_call.sh expects of the files in $work after a command in which a call failed: each has the bytes that it had
# in $before, or those that it has without a fault in $after, or is whole in itself; and there is none but these. After
# an exit with 0 and without a warning all files are those of a run without a fault. $program is the command, $again has
# the files of another run without a fault.

# ends FILE TEXT: whether these are its last bytes, without the line end.
ends() {
    [ "$(tail -c $((${#2} + 1)) "$1")" = "$2" ]
}

# begins FILE WHOLE: whether a file is the beginning of another.
begins() {
    cmp -s -n "$(wc -c <"$1")" "$1" "$2"
}

# Whether two runs without a fault give the same bytes: no times of the computer, no places in memory.
is_repeatable() {
    cmp -s "$after/$1" "$again/$1"
}

# Complete lines, the first of those that are written without a fault; all of them if they differ in each run.
csv_is_whole() {
    ends "$1" '' || return 1
    if is_repeatable "$1"; then
        begins "$1" "$after/$1"
    else
        [ "$(wc -l <"$1")" -eq "$(wc -l <"$after/$1")" ]
    fi
}

# The rows, behind the header, whose size is in the bytes 8 and 9, are the first of those without a fault.
npy_is_whole() {
    size=$(od -An -tu2 -j8 -N2 "$1")
    tail -c +$((size + 11)) "$1" >"$folder/rows"
    tail -c +$((size + 11)) "$after/$1" >"$folder/all_rows"
    results_are_whole "$1" && begins "$folder/rows" "$folder/all_rows"
}

results_are_whole() {
    "$program" view "$1" --output "$folder/view.html" --no-open --quiet >/dev/null 2>"$folder/view" &&
        [ ! -s "$folder/view" ]
}

# Its hash is right: it is refused for nothing but the time.
checkpoint_is_whole() {
    "$program" run --resume "$1" --until=-1 2>&1 | grep -q 'lies before'
}

# is_whole NAME
is_whole() {
    case $1 in
    *.csv) csv_is_whole "$1" ;;
    *.npy) npy_is_whole "$1" ;;
    *.h5) results_are_whole "$1" ;;
    *.scene.json) [ ! -s "$1" ] || results_are_whole "${1%.scene.json}" ;; # an empty one stands for none
    *.json) "${FAULT_JSON:?}" <"$1" 2>/dev/null ;;
    *.html) ends "$1" '</body></html>' ;;
    *.ck) checkpoint_is_whole "$1" ;;
    *) false ;;
    esac
}

# check_file NAME CODE: prints what is wrong with it.
check_file() {
    case $kind-$1 in remove-*.holon-part) return ;; esac # the next run takes it over
    if [ "$2" -eq 0 ] && [ ! -s "$folder/err" ] && [ "$usual" -eq 0 ]; then
        if is_repeatable "$1"; then
            cmp -s "$1" "$after/$1" || echo "exit code 0, but $1 is not complete"
            return
        fi
    elif cmp -s "$1" "$before/$1"; then
        return
    fi
    if [ ! -e "$before/$1" ] && [ ! -e "$after/$1" ]; then
        echo "$1 was left"
    elif ! cmp -s "$1" "$after/$1" && ! is_whole "$1"; then
        echo "$1 is torn"
    fi
}

# check_files CODE: sets is_clean if no file has changed, as after most faults.
check_files() {
    if [ "$1" -ne 0 ] && diff -rq "$before" "$work" >/dev/null; then
        is_clean=yes
        return
    fi
    for file in *; do check_file "$file" "$1"; done
    for file in "$after"/*; do
        name=${file##*/}
        if [ -e "$name" ]; then continue; fi
        if [ "$1" -eq 0 ] && [ ! -s "$folder/err" ]; then echo "exit code 0, but there is no $name"; fi
        case $name in
        *.ck) continue ;; # a new run removes the checkpoint of an older one
        *.scene.json) if [ "$1" -ne 0 ] && ! cmp -s "${name%.scene.json}" "$before/${name%.scene.json}"; then continue; fi ;;
        esac
        if [ -e "$before/$name" ]; then echo "$name is gone"; fi
    done
}
