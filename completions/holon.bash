# SPDX-License-Identifier: BSD-3-Clause
# Completion of holon for bash.

_holon_names() {
    holon list "$@" --names 2>/dev/null
}

_holon_words() {
    mapfile -t COMPREPLY < <(compgen -W "$1" -- "$current")
}

_holon_files() {
    local file
    compopt -o filenames 2>/dev/null
    mapfile -t COMPREPLY < <(
        compgen -d -- "$current"
        for file in "$@"; do compgen -f -X "!*.$file" -- "$current"; done
    )
}

_holon_model() {
    local names
    names=$(compgen -W "$(_holon_names models)" -- "$current")
    _holon_files yaml yml json
    [ -z "$names" ] || mapfile -t -O "${#COMPREPLY[@]}" COMPREPLY <<<"$names"
}

# The value of an option; false if it is none of those known here.
_holon_value() {
    case $1 in
    --formulations) _holon_words "all $(_holon_names formulations)" ;;
    --integrators) _holon_words "all $(_holon_names integrators | grep -vx automatic)" ;;
    --csv) _holon_files csv ;;
    --formulation) _holon_words "$(_holon_names formulations)" ;;
    --integrator) _holon_words "$(_holon_names integrators)" ;;
    --coordinates) _holon_words "reference-point natural" ;;
    --reactions) _holon_words "automatic as-computed minimum-norm stiffness elimination" ;;
    --output) if [ "${COMP_WORDS[1]}" = view ]; then _holon_files html; else _holon_files csv npy h5; fi ;;
    --report) _holon_files html ;;
    --summary) _holon_files json ;;
    --checkpoint | --resume) _holon_files ck ;;
    --branch) _holon_words "continue report stop" ;;
    --accept) _holon_words "bad" ;;
    --record) _holon_words "bodies points reactions energy violation singular" ;;
    --model) _holon_model ;;
    --checkpoint-every | --report-rows | --step | --steps | --until | --every | --set | --limit | --variant | --accuracy | --rounds | --tolerance | --iterations | --count | --turning)
        COMPREPLY=()
        ;;
    --at) _holon_words "equilibrium start" ;;
    --method) _holon_words "automatic complete lowest" ;;
    *) return 1 ;;
    esac
}

_holon_run() {
    case $current in
    -*)
        _holon_words "--formulation --integrator --coordinates --reactions --branch --step --until --set --limit --variant --output --every --record
            --report --report-rows --summary --accept --checkpoint --checkpoint-every --resume --verify --realtime --plot --quiet --help"
        ;;
    *) _holon_model ;;
    esac
}

_holon_compare() {
    case $current in
    -*)
        _holon_words "--formulations --integrators --steps --until --set --limit --variant --accuracy --rounds --plot --json
            --csv --report --report-rows --quiet --help"
        ;;
    *) _holon_model ;;
    esac
}

_holon_view() {
    case $current in
    -*) _holon_words "--output --model --report-rows --set --limit --variant --no-open --quiet --help" ;;
    *) _holon_files csv npy h5 ;;
    esac
}

_holon_static() {
    case $current in
    -*)
        _holon_words "--steps --tolerance --iterations --coordinates --set --limit --variant --output --json --quiet --help"
        ;;
    *) _holon_model ;;
    esac
}

_holon_modes() {
    case $current in
    -*)
        _holon_words "--at --count --method --turning --coordinates --set --limit --variant --output --json --quiet --help"
        ;;
    *) _holon_model ;;
    esac
}

_holon_check() {
    case $current in
    -*) _holon_words "--json --coordinates --set --limit --variant --help" ;;
    *) _holon_model ;;
    esac
}

_holon_list() {
    case $current,$COMP_CWORD in
    -*) _holon_words "--names --json --help" ;;
    *,2) _holon_words "$(_holon_names)" ;;
    *,3) _holon_words "$(_holon_names "${COMP_WORDS[2]}")" ;;
    esac
}

_holon_help() {
    _holon_words "run compare view static modes check list help glossary"
}

_holon() {
    local current=${COMP_WORDS[COMP_CWORD]} previous=${COMP_WORDS[COMP_CWORD - 1]}
    COMPREPLY=()
    if [ "$current" = = ]; then # "--option=" is three words to bash
        current=
    elif [ "$previous" = = ]; then
        previous=${COMP_WORDS[COMP_CWORD - 2]}
    fi
    if [ "$COMP_CWORD" -eq 1 ]; then
        _holon_words "run compare view static modes check list help --version --help"
        return
    fi
    _holon_value "$previous" && return
    case ${COMP_WORDS[1]} in
    run | compare | view | static | modes | check | list | help) "_holon_${COMP_WORDS[1]}" ;;
    esac
}

complete -F _holon holon
