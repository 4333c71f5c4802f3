#!/bin/bash
# A corpus run on many machines of a Slurm cluster: each job of an array does its share.
#
#     sbatch --array=0-63 slurm.sh crawl/ --output texts/ --min-words 50
#
# takes what `tamis corpus` takes. Input and output are on a file system that all machines see.
# Jobs that failed or ran out of time: submit the same array again, what is done is kept. Always
# the whole array, as each share is counted from its size.
#
# With --duplicates or --site-models some steps need what all jobs did before. Then submit the array
# once a step, each after the one before: three times for either option, five times for both.
#
#     first=$(sbatch --parsable --array=0-63 slurm.sh crawl/ --output texts/ --duplicates near)
#     second=$(sbatch --parsable --array=0-63 --dependency=afterok:$first slurm.sh ...)
#     sbatch --array=0-63 --dependency=afterok:$second slurm.sh ...
#
# Or end with the command itself, without an array: it does all that is left on one machine.
#
#SBATCH --job-name=tamis
#SBATCH --cpus-per-task=16
#SBATCH --mem-per-cpu=2G
#SBATCH --time=08:00:00
#SBATCH --requeue
#SBATCH --signal=B:TERM@60

set -eu
# In place of this shell, so that the signal at the end of the time comes to it.
exec tamis corpus "$@" --quiet --workers "$SLURM_CPUS_PER_TASK" \
    --rank "$((SLURM_ARRAY_TASK_ID - SLURM_ARRAY_TASK_MIN))/$SLURM_ARRAY_TASK_COUNT"
