import { Pool } from 'pg';
import { createMetrics } from '../apps/server/src/metrics/metrics.ts';

/** Returns the labels of all metrics of API and worker, by the name that Prometheus stores. */
export async function metricLabels(): Promise<Map<string, Set<string>>> {
  const metrics = createMetrics();
  metrics.observeProcess();
  metrics.observePool(new Pool());
  metrics.observeQueue(
    async () => [{ job: 'transcribe', waiting: 1, active: 0, dead: 0, oldestSeconds: 1 }],
    (error) => {
      throw error;
    },
  );
  metrics.request({ method: 'POST', route: '/', status: 200, code: 0 }, 1);
  metrics.job('transcribe', 'completed', 1);
  metrics.task('transcribed', 1);
  metrics.summary('stored');
  metrics.webhook('delivered');
  metrics.push('sent');
  metrics.storage('put', 'ok', 1);
  const labels = new Map<string, Set<string>>();
  for (const line of (await metrics.text()).split('\n')) {
    const [, name, list = ''] = /^([a-z_0-9]+)(?:\{(.*)\})? /.exec(line) ?? [];
    if (name === undefined) continue;
    const knownLabels = labels.get(name) ?? new Set();
    for (const [, label = ''] of list.matchAll(/([a-z_]+)="/g)) knownLabels.add(label);
    labels.set(name, knownLabels);
  }
  return labels;
}
