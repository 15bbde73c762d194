import { parser } from '@prometheus-io/lezer-promql';
import { describe, expect, it } from 'vitest';
import { readText } from '../files.ts';
import { metricLabels } from '../metric-labels.ts';

interface Panel {
  readonly id: number;
  readonly type: string;
  readonly title: string;
  readonly description?: string;
  readonly gridPos: {
    readonly h: number;
    readonly w: number;
    readonly x: number;
    readonly y: number;
  };
  readonly targets?: readonly { readonly expr: string; readonly legendFormat: string }[];
}
const dashboard: {
  readonly panels: readonly Panel[];
  readonly templating: { readonly list: readonly { readonly name: string }[] };
} = JSON.parse(readText('grafana/linnet.json'));
const queries = dashboard.panels.flatMap(({ title, targets = [] }) =>
  targets.map(({ expr, legendFormat }) => [title, expr, legendFormat] as const),
);

/** The labels that Prometheus adds to each metric, and the name under which it stores the server's label `job`. */
const targetLabels = ['job', 'instance'];
const storedName = (label: string) => (label === 'job' ? 'exported_job' : label);

/** Grafana replaces its variables before Prometheus reads the query. */
const toSentQuery = (expr: string) =>
  expr.replaceAll('$__rate_interval', '5m').replaceAll('$target', 'linnet');

/** Returns the parts of a query that have one of the given kinds. */
function findNodes(expr: string, kinds: readonly string[]): string[] {
  const parts: string[] = [];
  parser.parse(expr).iterate({
    enter({ name, from, to }) {
      if (kinds.includes(name)) parts.push(expr.slice(from, to));
    },
  });
  return parts;
}

describe('dashboard', () => {
  it.each(queries)(
    'has valid queries for existing metrics and labels: %s',
    async (_, query, legend) => {
      const expr = toSentQuery(query);
      expect(expr).not.toContain('$');
      expect(findNodes(expr, ['⚠'])).toEqual([]);
      const known = await metricLabels();
      const names = findNodes(expr, ['VectorSelector']).map((part) => part.split('{')[0] ?? '');
      expect(names.length).toBeGreaterThan(0);
      const labels = new Set(targetLabels);
      for (const name of names) {
        expect([...known.keys()]).toContain(name);
        for (const label of known.get(name) ?? []) labels.add(storedName(label));
      }
      const used = findNodes(expr, ['LabelName', 'GroupingLabels']).flatMap(
        (part) => part.match(/[a-z_]+/g) ?? [],
      );
      expect(used.length).toBeGreaterThan(0);
      for (const label of used) expect([...labels]).toContain(label);
      for (const [, label] of legend.matchAll(/\{\{(\w+)\}\}/g))
        expect([...labels]).toContain(label);
    },
  );

  it('shows every metric of the server', async () => {
    const all = queries.map(([, expr]) => expr).join('\n');
    const own = [...(await metricLabels()).keys()]
      .filter((name) => name.startsWith('linnet_'))
      .map((name) => name.replace(/_(?:bucket|sum|count)$/, ''));
    for (const name of new Set(own)) expect(all).toContain(name);
  });

  it('has panels with unique IDs and descriptions that do not overlap', () => {
    const { panels } = dashboard;
    expect(new Set(panels.map(({ id }) => id)).size).toBe(panels.length);
    const cells = new Set<string>();
    for (const { type, title, description, gridPos } of panels) {
      if (type !== 'row') expect(description, title).toMatch(/\.$/);
      for (let x = gridPos.x; x < gridPos.x + gridPos.w; x += 1) {
        expect(x).toBeLessThan(24);
        for (let y = gridPos.y; y < gridPos.y + gridPos.h; y += 1) {
          expect(cells.has(`${x} ${y}`), title).toBe(false);
          cells.add(`${x} ${y}`);
        }
      }
    }
  });

  it('reads the data source and the scrape job from its variables', () => {
    expect(dashboard.templating.list.map(({ name }) => name)).toEqual(['datasource', 'target']);
    for (const [title, expr] of queries) expect(expr, title).toContain('job=~"$target"');
  });
});
