# SPDX-License-Identifier: BSD-3-Clause
# Completion of holon for fish.

function __holon_words --description 'the words after holon that are no options'
    for word in (commandline -opc)[2..-1]
        string match -q -- '-*' $word; or echo $word
    end
end

function __holon_command --description 'true if the command is one of these'
    contains -- (__holon_words)[1] $argv
end

function __holon_names
    holon list $argv --names 2>/dev/null
end

complete -c holon -f
complete -c holon -n 'test (count (__holon_words)) -eq 0' -a run -d 'simulate a model'
complete -c holon -n 'test (count (__holon_words)) -eq 0' -a compare -d 'run a model through every formulation'
complete -c holon -n 'test (count (__holon_words)) -eq 0' -a view -d 'show results that a run has written'
complete -c holon -n 'test (count (__holon_words)) -eq 0' -a static -d 'find a static equilibrium'
complete -c holon -n 'test (count (__holon_words)) -eq 0' -a modes -d 'frequencies, damping and shapes of small motions'
complete -c holon -n 'test (count (__holon_words)) -eq 0' -a check -d 'explain a model'
complete -c holon -n 'test (count (__holon_words)) -eq 0' -a list -d 'list models, methods and kinds of parts'
complete -c holon -n 'test (count (__holon_words)) -eq 0' -a help -d 'tell about a command'
complete -c holon -n 'test (count (__holon_words)) -eq 0' -l version -d 'print the version'
complete -c holon -l help -d 'tell about the command'

complete -c holon -n '__holon_command run compare static modes check' -F -a '(__holon_names models)'
complete -c holon -n '__holon_command run compare view static modes check' -l set -x -d 'change a value of the model: path=value'
complete -c holon -n '__holon_command run compare view static modes check' -l variant -x -d 'apply a variant that the model describes'

complete -c holon -n '__holon_command run' -l formulation -x -a '(__holon_names formulations)' -d 'how constraints are met'
complete -c holon -n '__holon_command run' -l integrator -x -a '(__holon_names integrators)' -d 'how time goes on'
complete -c holon -n '__holon_command run static modes check' -l coordinates -x -a 'reference-point natural' -d 'what bodies are described by'
complete -c holon -n '__holon_command run' -l branch -x -a 'continue report stop' -d 'where the motion would turn into another one'
complete -c holon -n '__holon_command run' -l reactions -x -a 'automatic as-computed minimum-norm stiffness elimination' -d 'how reactions that are not unique are told'
complete -c holon -n '__holon_command run' -l step -x -d 'time step'
complete -c holon -n '__holon_command run compare' -l until -x -d 'time to reach'
complete -c holon -n '__holon_command run' -l output -r -F -d 'write results to a .csv, .npy or .h5 file'
complete -c holon -n '__holon_command run' -l every -x -d 'record at this interval'
complete -c holon -n '__holon_command run' -l record -x -a 'bodies points reactions energy violation singular' -d 'what to record'
complete -c holon -n '__holon_command run compare' -l report -r -F -d 'write a page of HTML'
complete -c holon -n '__holon_command run compare view' -l report-rows -x -d 'at most so many states in the page'
complete -c holon -n '__holon_command run' -l summary -r -F -d 'write the summary as JSON, - prints it'
complete -c holon -n '__holon_command run' -l realtime -d 'keep up with the clock; =FACTOR times as fast'
complete -c holon -n '__holon_command run' -l quiet -d 'no summary, no warnings, no progress'
complete -c holon -n '__holon_command run compare' -l plot -d 'draw violation and energy drift over time'

complete -c holon -n '__holon_command compare' -l formulations -x -a 'all (__holon_names formulations)' -d 'comma separated'
complete -c holon -n '__holon_command compare' -l integrators -x -a 'all (__holon_names integrators)' -d 'comma separated'
complete -c holon -n '__holon_command compare' -l steps -x -d 'time steps, comma separated'
complete -c holon -n '__holon_command compare' -l accuracy -x -d 'name the fastest that is as accurate'
complete -c holon -n '__holon_command compare' -l rounds -x -d 'how often every run is timed'
complete -c holon -n '__holon_command compare' -l csv -r -F -d 'write one line per combination'
complete -c holon -n '__holon_command compare' -l quiet -d 'no warnings, no progress'

complete -c holon -n '__holon_command view' -F
complete -c holon -n '__holon_command view' -l output -r -F -d 'the page'
complete -c holon -n '__holon_command view' -l model -r -F -a '(__holon_names models)' -d 'draw the bodies of this model'
complete -c holon -n '__holon_command view' -l no-open -d 'write the page and do not open it'
complete -c holon -n '__holon_command view' -l quiet -d 'print nothing'

complete -c holon -n '__holon_command static' -l steps -x -d 'load steps to begin with'
complete -c holon -n '__holon_command static' -l tolerance -x -d 'unbalanced forces in parts of the largest'
complete -c holon -n '__holon_command static' -l iterations -x -d 'at most so many in one load step'
complete -c holon -n '__holon_command modes' -l at -x -a 'equilibrium start' -d 'about which state, or a time'
complete -c holon -n '__holon_command modes' -l count -x -d 'the slowest N modes'
complete -c holon -n '__holon_command modes' -l method -x -a 'automatic complete lowest' -d 'how they are found'
complete -c holon -n '__holon_command modes' -l turning -x -d 'angular velocity of the frame in which the motion is steady'
complete -c holon -n '__holon_command static modes' -l output -r -F -d 'write a .csv, .npy or .h5 file'
complete -c holon -n '__holon_command static modes' -l quiet -d 'no table, no warnings'

complete -c holon -n '__holon_command compare static modes check list' -l json -d 'print JSON'
complete -c holon -n '__holon_command list' -l names -d 'print names only'
complete -c holon -n '__holon_command list; and test (count (__holon_words)) -eq 1' -a '(__holon_names)'
complete -c holon -n '__holon_command list; and test (count (__holon_words)) -eq 2' -a '(__holon_names (__holon_words)[2])'
complete -c holon -n '__holon_command help' -a 'run compare view static modes check list help'
