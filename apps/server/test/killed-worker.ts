import { createCheckpoints } from '../src/pipeline/checkpoints.ts';
import { runWorker } from '../src/worker.ts';

/** Runs the real worker, which kills itself after saving the checkpoint of the step KILL_AFTER. */
await runWorker({
  createCheckpoints(db) {
    const checkpoints = createCheckpoints(db);
    return {
      ...checkpoints,
      async save(taskId, step, output) {
        const saved = await checkpoints.save(taskId, step, output);
        if (step === process.env.KILL_AFTER) process.kill(process.pid, 'SIGKILL');
        return saved;
      },
    };
  },
});
