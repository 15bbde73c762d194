import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { readConfig } from '../../apps/server/src/config/index.ts';
import {
  fillSecrets,
  findScript,
  listFiles,
  parseCliCommand,
  readEnvironment,
  readYaml,
  root,
  variableNames,
} from '../files.ts';

interface Probe {
  readonly httpGet: { readonly path: string; readonly port: string };
}
type Amounts = Readonly<Record<'cpu' | 'memory' | 'ephemeral-storage', string>>;
interface Container {
  readonly name: string;
  readonly image: string;
  readonly command: readonly string[];
  readonly envFrom: readonly unknown[];
  readonly env?: readonly unknown[];
  readonly ports?: readonly { readonly name: string; readonly containerPort: number }[];
  readonly startupProbe?: Probe;
  readonly livenessProbe?: Probe;
  readonly readinessProbe?: Probe;
  readonly resources: { readonly requests: Amounts; readonly limits: Amounts };
  readonly securityContext: object;
  readonly volumeMounts: readonly {
    readonly name: string;
    readonly mountPath: string;
    readonly readOnly?: boolean;
  }[];
}
interface Pod {
  readonly metadata: { readonly labels: Readonly<Record<string, string>> };
  readonly spec: {
    readonly automountServiceAccountToken: boolean;
    readonly serviceAccountName: string;
    readonly securityContext: object;
    readonly terminationGracePeriodSeconds?: number;
    readonly containers: readonly [Container];
    readonly volumes: readonly {
      readonly name: string;
      readonly emptyDir?: { readonly sizeLimit?: string };
    }[];
  };
}
/** An object with the fields that these tests read. */
interface Manifest {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: { readonly name: string; readonly labels: Readonly<Record<string, string>> };
  // biome-ignore lint/suspicious/noExplicitAny: its shape depends on the kind, and the schemas check it
  readonly spec: any;
}

const base = listFiles('kubernetes/base')
  .filter((file) => file.endsWith('.yaml') && !file.endsWith('kustomization.yaml'))
  .flatMap((file) => readYaml<Manifest>(file));
const restore = readYaml<Manifest>('kubernetes/restore.yaml');
const objects = [...base, ...restore, ...readYaml<Manifest>('kubernetes/example/namespace.yaml')];
const [kustomization] = readYaml<{
  resources: string[];
  configMapGenerator: { name: string; envs: string[] }[];
}>('kubernetes/base/kustomization.yaml');
const [example] = readYaml<{
  namespace: string;
  resources: string[];
  images: { name: string; newTag: string }[];
  configMapGenerator: { name: string; literals: string[] }[];
}>('kubernetes/example/kustomization.yaml');
const settings = readEnvironment('kubernetes/base/linnet.env');
const exampleSettings = Object.fromEntries(
  (example?.configMapGenerator[0]?.literals ?? []).map((literal) => literal.split(/=(.*)/s)),
);
const secret = readEnvironment('kubernetes/example/secret.env.example');

const find = (kind: string, name: string) => {
  const found = base.find((object) => object.kind === kind && object.metadata.name === name);
  if (!found) throw new Error(`there is no ${kind} ${name}`);
  return found;
};
const getPod = ({ kind, spec }: Manifest): Pod | null => {
  if (kind === 'CronJob') return spec.jobTemplate.spec.template;
  return kind === 'Deployment' || kind === 'Job' ? spec.template : null;
};
const workloads = [...base, ...restore].flatMap((object) => {
  const pod = getPod(object);
  return pod ? [{ object, pod, container: pod.spec.containers[0] }] : [];
});
const services = workloads.filter(({ object }) => object.kind === 'Deployment');

/** Converts a quantity, such as `512Mi` or `250m`, to bytes or cores. */
function amount(text: string): number {
  const [, value = '', unit = ''] = /^(\d+)(m|Mi|Gi)?$/.exec(text) ?? [];
  return Number(value) * { '': 1, m: 0.001, Mi: 2 ** 20, Gi: 2 ** 30 }[unit as 'm'];
}

describe('objects', () => {
  it.each(objects.map((object) => [`${object.kind} ${object.metadata.name}`, object] as const))(
    'match the Kubernetes schemas: %s',
    async (_, object) => {
      const { apiVersion, kind } = object;
      const models = await import(/* @vite-ignore */ `kubernetes-models/${apiVersion}`);
      expect(() => new models[kind](object).validate()).not.toThrow();
      expect(() => new models[kind]({ ...object, metadata: 'wrong' }).validate()).toThrow();
    },
  );

  it('have no fields unknown to Kubernetes', async () => {
    // The schemas allow unknown fields, but the types that are generated from them don't.
    const declare = ({ apiVersion, kind, ...rest }: Manifest, index: number) =>
      [
        `import type { I${kind} as Type${index} } from 'kubernetes-models/${apiVersion}';`,
        `export const object${index}: Type${index} = ${JSON.stringify({ apiVersion, kind, ...rest })};`,
      ].join('\n');
    const [deployment] = services.map(({ object }) => object);
    if (!deployment) throw new Error('there is no deployment');
    const misspelled = JSON.parse(
      JSON.stringify(deployment).replace('livenessProbe', 'livnessProbe'),
    );
    await mkdir(join(root, '.cache'), { recursive: true });
    const folder = await mkdtemp(join(root, '.cache', 'objects-'));
    const files = [join(folder, 'objects.ts'), join(folder, 'misspelled.ts')];
    await writeFile(files[0] ?? '', objects.map(declare).join('\n'));
    await writeFile(files[1] ?? '', declare(misspelled, 0));
    const options = ['--noEmit', '--strict', '--skipLibCheck', '--ignoreConfig'];
    const modules = ['--module', 'NodeNext', '--target', 'ES2024', '--types', ''];
    const compiler = join(root, 'node_modules/.bin/tsc');
    const { stdout } = spawnSync(compiler, [...options, ...modules, ...files], {
      cwd: root,
      encoding: 'utf8',
    });
    await rm(folder, { recursive: true });
    const errors = stdout.split('\n').filter((line) => line.includes('error'));
    expect(errors).toHaveLength(1);
    expect(errors[0]).toMatch(/misspelled\.ts.*livnessProbe/);
  });

  it('are all listed by the kustomization', () => {
    const files = listFiles('kubernetes/base')
      .map((file) => file.slice('kubernetes/base/'.length))
      .filter((file) => file.endsWith('.yaml') && file !== 'kustomization.yaml');
    expect(kustomization?.resources.toSorted()).toEqual(files);
    expect(kustomization?.configMapGenerator).toMatchObject([
      { name: 'linnet', envs: ['linnet.env'] },
    ]);
    for (const path of example?.resources ?? []) {
      expect(existsSync(join(root, 'deploy/kubernetes/example', path)), path).toBe(true);
    }
  });

  it('have a component label, so that the migration can be applied first', () => {
    const components = new Set(
      objects.map(({ metadata }) => metadata.labels['app.kubernetes.io/component']),
    );
    expect([...components].sort()).toEqual([
      ...['api', 'backup', 'migration', 'restore', 'settings', 'worker'],
    ]);
    for (const { object, pod } of workloads) {
      expect(pod.metadata.labels).toEqual(object.metadata.labels);
    }
  });
});

describe('settings', () => {
  it('are variables of the server', () => {
    for (const name of Object.keys({ ...settings, ...exampleSettings, ...secret })) {
      expect(variableNames, name).toContain(name);
    }
  });

  it('form a valid configuration when combined with the example and its secrets', () => {
    const config = readConfig(fillSecrets({ ...settings, ...exampleSettings, ...secret }));
    expect(config).toMatchObject({
      ...{ exposed: true, STORAGE: 's3', HOST: '0.0.0.0', origin: 'https://linnet.example' },
      TRUSTED_PROXIES: ['10.244.7.0/28'],
    });
    expect(config.SECRET).toBeDefined();
  });

  it.each(['SECRET', 'METRICS_TOKEN'])(
    'are rejected until the example is filled in: %s',
    (name) => {
      const unfilled = { ...settings, ...exampleSettings, ...secret };
      const filled = fillSecrets(unfilled);
      expect(() => readConfig({ ...filled, [name]: secret[name] })).toThrow(`${name} is invalid`);
      expect(() => readConfig(unfilled)).toThrow();
    },
  );

  it('contain no secrets', () => {
    const secretNames = /SECRET|TOKEN|PASSWORD|_KEY$|KEY_ID$|DATABASE_URL|SMTP_URL/;
    for (const name of Object.keys({ ...settings, ...exampleSettings })) {
      expect(name).not.toMatch(secretNames);
    }
    for (const name of Object.keys(secret)) expect(name).toMatch(secretNames);
  });

  it('pin an image version', () => {
    expect(example?.images).toHaveLength(1);
    for (const { container } of workloads) expect(container.image).toBe(example?.images[0]?.name);
    expect(example?.images[0]?.newTag).not.toBe('latest');
  });
});

describe('processes', () => {
  it.each(workloads.map(({ object, ...rest }) => [object.metadata.name, rest] as const))(
    'run a script in the image, without privileges, within limits: %s',
    (_, { pod, container }) => {
      expect(existsSync(join(root, findScript(container.command) ?? ''))).toBe(true);
      // All other settings are in the ConfigMap and the Secret.
      expect(container.env).toEqual(
        container.name === 'restore' ? [{ name: 'FOLDER', value: 'replace' }] : undefined,
      );
      expect(container.envFrom).toEqual([
        { configMapRef: { name: 'linnet' } },
        { secretRef: { name: 'linnet' } },
      ]);
      const { automountServiceAccountToken, serviceAccountName, securityContext } = pod.spec;
      expect(automountServiceAccountToken).toBe(false);
      expect(find('ServiceAccount', serviceAccountName)).toBeDefined();
      expect(securityContext).toEqual({
        ...{ runAsNonRoot: true, runAsUser: 1000, runAsGroup: 1000, fsGroup: 1000 },
        seccompProfile: { type: 'RuntimeDefault' },
      });
      expect(container.securityContext).toEqual({
        ...{ allowPrivilegeEscalation: false, readOnlyRootFilesystem: true },
        capabilities: { drop: ['ALL'] },
      });
      const { requests, limits } = container.resources;
      for (const name of ['cpu', 'memory', 'ephemeral-storage'] as const) {
        expect(amount(requests[name])).toBeGreaterThan(0);
        expect(amount(limits[name])).toBeGreaterThanOrEqual(amount(requests[name]));
      }
    },
  );

  it.each(workloads.map(({ object, ...rest }) => [object.metadata.name, rest] as const))(
    'can write to DATA_DIR and the temporary folder: %s',
    (_, { pod, container }) => {
      const mounts = container.volumeMounts.map(({ mountPath }) => mountPath);
      expect(mounts).toEqual(expect.arrayContaining(['/data', '/tmp']));
      expect(settings.DATA_DIR?.startsWith('/data/')).toBe(true);
      const volumes = pod.spec.volumes.map(({ name }) => name);
      expect(container.volumeMounts.map(({ name }) => name)).toEqual(volumes);
      const sizes = pod.spec.volumes.map(({ emptyDir }) => amount(emptyDir?.sizeLimit ?? '0'));
      const total = sizes.reduce((sum, size) => sum + size, 0);
      expect(total).toBeLessThan(amount(container.resources.limits['ephemeral-storage']));
    },
  );

  it('are probed at the health routes on their own port', () => {
    const ports = { api: settings.PORT, worker: settings.METRICS_PORT };
    for (const { container } of services) {
      const [port] = container.ports ?? [];
      expect(port?.containerPort).toBe(Number(ports[container.name as keyof typeof ports]));
      for (const [probe, path] of [
        ['startupProbe', '/healthz'],
        ['livenessProbe', '/healthz'],
        ['readinessProbe', '/readyz'],
      ] as const) {
        expect(container[probe]?.httpGet).toEqual({ path, port: port?.name });
      }
    }
    expect(services).toHaveLength(2);
    // A worker listens on non-loopback interfaces only if it has a token.
    expect(secret).toHaveProperty('METRICS_TOKEN');
  });

  it('have more time to stop than they need', () => {
    for (const { pod } of services) {
      expect(pod.spec.terminationGracePeriodSeconds).toBeGreaterThan(15 + 5);
    }
  });

  it('run commands that the CLI has', async () => {
    const { readStdout } = await import('../command-line.ts');
    const help = await readStdout(['--help']);
    const commands = workloads.flatMap(({ container }) => {
      const words = parseCliCommand(container.command);
      return words ? [words] : [];
    });
    expect(commands).toEqual([['backup'], ['migrate'], ['restore']]);
    for (const words of commands) expect(help).toMatch(new RegExp(`^ {2}${words.join(' ')}`, 'm'));
  });
});

describe('a restore', () => {
  const [backupPod, restorePod] = ['linnet-backup', 'linnet-restore'].map(
    (name) => workloads.find(({ object }) => object.metadata.name === name)?.pod.spec,
  );

  it('reads the backup volume, and can’t change it', () => {
    expect(restorePod?.volumes).toEqual(backupPod?.volumes);
    const mounts = restorePod?.containers[0].volumeMounts;
    expect(mounts).toContainEqual({ name: 'backups', mountPath: '/backups', readOnly: true });
  });

  it('restores the folder that its variable names, and only on request', () => {
    expect(restorePod?.containers[0].command.at(-1)).toMatch(/ restore "\/backups\/\$FOLDER"$/);
    expect(restore.map(({ kind }) => kind)).toEqual(['Job']);
    expect(kustomization?.resources.join()).not.toContain('restore');
  });
});

describe('the cluster', () => {
  it('keeps an API process running during disruptions, and evicts one worker at a time', () => {
    for (const [name, budget] of [
      ['linnet-api', { minAvailable: 1 }],
      ['linnet-worker', { maxUnavailable: 1 }],
    ] as const) {
      const { spec } = find('PodDisruptionBudget', name);
      expect(spec).toMatchObject(budget);
      const deployment = find('Deployment', name);
      expect(spec.selector).toEqual(deployment.spec.selector);
      expect(getPod(deployment)?.metadata.labels).toMatchObject(spec.selector.matchLabels);
    }
    // With one replica, the API's budget would block every eviction.
    expect(find('Deployment', 'linnet-api').spec.replicas).toBeGreaterThan(1);
  });

  it('scales workers by the age of the oldest waiting transcription', async () => {
    const { spec } = find('HorizontalPodAutoscaler', 'linnet-worker');
    expect(spec.scaleTargetRef).toMatchObject({ kind: 'Deployment', name: 'linnet-worker' });
    // A replica count in the manifest would conflict with the autoscaler.
    expect(find('Deployment', 'linnet-worker').spec).not.toHaveProperty('replicas');
    const { name, selector } = spec.metrics[0].external.metric;
    expect(selector).toEqual({ matchLabels: { exported_job: 'transcribe' } });
    const { metricLabels } = await import('../metric-labels.ts');
    expect((await metricLabels()).get(name)).toEqual(new Set(['job']));
    const [adapter] = readYaml<{ rules: { external: { seriesQuery: string; name: object }[] } }>(
      'kubernetes/prometheus-adapter.yaml',
    );
    expect(adapter?.rules.external).toMatchObject([{ name: { as: name } }]);
    expect(adapter?.rules.external[0]?.seriesQuery).toContain(`__name__="${name}"`);
  });

  it('scrapes metrics from every process', () => {
    const [scrape] = readYaml<{
      scrape_configs: { relabel_configs: { source_labels?: string[]; regex?: string }[] }[];
    }>('kubernetes/prometheus-scrape.yaml');
    const rule = scrape?.scrape_configs[0]?.relabel_configs.find(
      ({ source_labels: [label] = [] }) => label?.endsWith('container_port_name'),
    );
    const names = services.map(({ container }) => container.ports?.[0]?.name);
    expect(rule?.regex?.split('|')).toEqual(names);
  });

  it('routes the service and the ingress to the API', () => {
    const service = find('Service', 'linnet-api');
    const api = find('Deployment', 'linnet-api');
    expect(getPod(api)?.metadata.labels).toMatchObject(service.spec.selector);
    const [container] = getPod(api)?.spec.containers ?? [];
    expect(service.spec.ports[0].targetPort).toBe(container?.ports?.[0]?.name);
    const { rules } = find('Ingress', 'linnet').spec;
    expect(rules[0].http.paths[0].backend.service).toEqual({
      name: service.metadata.name,
      port: { name: service.spec.ports[0].name },
    });
  });
});
