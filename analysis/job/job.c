#include "analysis/job/job.h"

#include "analysis/job/part_join.h"

bool job_analyze(struct job_part *part, const struct job_options *options, struct arena *arena,
                 struct job *job, struct error *err)
{
    *job = (struct job){0};
    part_seal(part, SEAL_ALL);
    job->missing = job_missing_ranks(part, arena, &job->missing_count);
    job->world = part->leaf_count + job->missing_count;
    if (!job_model_make(part, options, arena, &job->model, err))
        return false;
    job_figures_compute(&job->model, options, arena, &job->figures);
    job_findings_make(&job->model, &job->figures, arena, &job->findings);
    return true;
}
