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
complete -c holon -n 'test (count (__holon_words)) -eq 0' -a compare -d 'compare formulations on a model'
complete -c holon -n 'test (count (__holon_words)) -eq 0' -a view -d 'show the results of a run'
complete -c holon -n 'test (count (__holon_words)) -eq 0' -a static -d 'find a static equilibrium'
complete -c holon -n 'test (count (__holon_words)) -eq 0' -a modes -d 'compute frequencies, damping and mode shapes'
complete -c holon -n 'test (count (__holon_words)) -eq 0' -a check -d 'analyse a model'
complete -c holon -n 'test (count (__holon_words)) -eq 0' -a list -d 'list models, methods and kinds of parts'
complete -c holon -n 'test (count (__holon_words)) -eq 0' -a help -d 'describe a command, or print the glossary'
complete -c holon -n 'test (count (__holon_words)) -eq 0' -l version -d 'print the version'
complete -c holon -l help -d 'describe the command'

complete -c holon -n '__holon_command run compare static modes check' -F -a '(__holon_names models)'
complete -c holon -n '__holon_command run compare view static modes check' -l set -x -d 'change a value of the model: path=value'
complete -c holon -n '__holon_command run compare view static modes check' -l limit -x -d 'what the model may cost: parts=, memory=, file='
complete -c holon -n '__holon_command run compare view static modes check' -l variant -x -d 'apply a variant of the model'

complete -c holon -n '__holon_command run' -l formulation -x -a '(__holon_names formulations)' -d 'constraint formulation'
complete -c holon -n '__holon_command run' -l integrator -x -a '(__holon_names integrators)' -d 'time integration scheme'
complete -c holon -n '__holon_command run static modes check' -l coordinates -x -a 'reference-point natural' -d 'coordinates of bodies'
complete -c holon -n '__holon_command run' -l branch -x -a 'continue report stop' -d 'action where the run would change its branch'
complete -c holon -n '__holon_command run' -l reactions -x -a 'automatic as-computed minimum-norm stiffness elimination' -d 'choice of reactions that are not unique'
complete -c holon -n '__holon_command run' -l step -x -d 'time step'
complete -c holon -n '__holon_command run compare' -l until -x -d 'end time'
complete -c holon -n '__holon_command run' -l output -r -F -d 'write results to a .csv, .npy or .h5 file'
complete -c holon -n '__holon_command run' -l every -x -d 'recording interval'
complete -c holon -n '__holon_command run' -l record -x -a 'bodies points reactions energy violation singular' -d 'what to record'
complete -c holon -n '__holon_command run compare' -l report -r -F -d 'write a page of HTML'
complete -c holon -n '__holon_command run compare view' -l report-rows -x -d 'maximum number of states'
complete -c holon -n '__holon_command run' -l summary -r -F -d 'write the summary as JSON, - prints it'
complete -c holon -n '__holon_command run' -l accept -x -a bad -d 'exit with 0 also if the verdict is bad'
complete -c holon -n '__holon_command run' -l checkpoint -r -F -d 'write checkpoints'
complete -c holon -n '__holon_command run' -l checkpoint-every -x -d 'time between checkpoints'
complete -c holon -n '__holon_command run' -l resume -r -F -d 'continue the run of a checkpoint'
complete -c holon -n '__holon_command run' -l verify -d 'repeat the run with half the step and print differences'
complete -c holon -n '__holon_command run' -l realtime -d 'run in real time; =FACTOR times as fast'
complete -c holon -n '__holon_command run' -l quiet -d 'no summary, no warnings, no progress'
complete -c holon -n '__holon_command run compare' -l plot -d 'plot position violation and energy drift'

complete -c holon -n '__holon_command compare' -l formulations -x -a 'all (__holon_names formulations)' -d 'comma separated'
complete -c holon -n '__holon_command compare' -l integrators -x -a 'all (__holon_names integrators | string match -v automatic)' -d 'comma separated'
complete -c holon -n '__holon_command compare' -l steps -x -d 'time steps, comma separated'
complete -c holon -n '__holon_command compare' -l accuracy -x -d 'recommend the fastest run of this accuracy'
complete -c holon -n '__holon_command compare' -l rounds -x -d 'number of timing rounds'
complete -c holon -n '__holon_command compare' -l csv -r -F -d 'write one line per combination'
complete -c holon -n '__holon_command compare' -l quiet -d 'no warnings, no progress'

complete -c holon -n '__holon_command view' -F
complete -c holon -n '__holon_command view' -l output -r -F -d 'file name of the page'
complete -c holon -n '__holon_command view' -l model -r -F -a '(__holon_names models)' -d 'draw the bodies of this model'
complete -c holon -n '__holon_command view' -l no-open -d 'write the page, but do not open it'
complete -c holon -n '__holon_command view' -l quiet -d 'print nothing'

complete -c holon -n '__holon_command static' -l steps -x -d 'initial number of load steps'
complete -c holon -n '__holon_command static' -l tolerance -x -d 'force imbalance relative to the largest force'
complete -c holon -n '__holon_command static' -l iterations -x -d 'maximum number of iterations per load step'
complete -c holon -n '__holon_command modes' -l at -x -a 'equilibrium start' -d 'state or time of linearisation'
complete -c holon -n '__holon_command modes' -l count -x -d 'number of modes, lowest first'
complete -c holon -n '__holon_command modes' -l method -x -a 'automatic complete lowest' -d 'eigenvalue method'
complete -c holon -n '__holon_command modes' -l turning -x -d 'angular velocity of the frame of linearisation'
complete -c holon -n '__holon_command static modes' -l output -r -F -d 'write a .csv, .npy or .h5 file'
complete -c holon -n '__holon_command static modes' -l quiet -d 'no table, no warnings'

complete -c holon -n '__holon_command compare static modes check list' -l json -d 'print JSON'
complete -c holon -n '__holon_command list' -l names -d 'print names only'
complete -c holon -n '__holon_command list; and test (count (__holon_words)) -eq 1' -a '(__holon_names)'
complete -c holon -n '__holon_command list; and test (count (__holon_words)) -eq 2' -a '(__holon_names (__holon_words)[2])'
complete -c holon -n '__holon_command help' -a 'run compare view static modes check list help glossary'
