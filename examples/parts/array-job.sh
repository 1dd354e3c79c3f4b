#!/bin/sh
#SBATCH --array=0-15
# Makes one part as a task of an array of jobs, as Slurm runs them:
#
#     job=$(sbatch --parsable array-job.sh big.npy parts)
#     sbatch --dependency=afterok:$job --wrap 'stria merge parts/*.part -o means.npy'
#
# `sbatch --array=5 ...` makes part 5 again; the tasks of an array are 16 unless TASKS says otherwise.
set -eu
file=$1 folder=$2 task=$SLURM_ARRAY_TASK_ID
mkdir -p "$folder"
slice=$(stria split "$file" --parts "${TASKS:-16}" | sed -n "$((task + 1))p")
exec stria apply "$file" --partial --slice "$slice" 'exact_mean(x, 0)' -o "$folder/$task.part" -q
