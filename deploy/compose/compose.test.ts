import { existsSync } from 'node:fs';
import { join } from 'node:path';
import ipaddr from 'ipaddr.js';
import { describe, expect, it } from 'vitest';
import { readConfig } from '../../apps/server/src/config/index.ts';
import { readStdout } from '../command-line.ts';
import {
  fillSecrets,
  findScript,
  parseCliCommand,
  readEnvironment,
  readText,
  readYaml,
  root,
  variableNames,
} from '../files.ts';

interface Service {
  readonly image: string;
  readonly environment?: Readonly<Record<string, string | number>>;
  readonly command?: readonly string[];
  readonly entrypoint?: readonly string[];
  readonly volumes?: readonly string[];
  readonly networks?: readonly string[];
  readonly ports?: readonly string[];
  readonly healthcheck?: { readonly test?: readonly string[]; readonly disable?: boolean };
  readonly depends_on?: Readonly<Record<string, { readonly condition: string }>>;
  readonly user?: string;
  readonly read_only?: boolean;
  readonly cap_drop?: readonly string[];
  readonly security_opt?: readonly string[];
  readonly cpus?: number;
  readonly mem_limit?: string;
  readonly restart?: string;
}

const [compose] = readYaml<{
  services: Record<string, Service>;
  volumes: Record<string, unknown>;
  networks: Record<string, { ipam?: { config: { subnet: string }[] } } | null>;
}>('compose/compose.yaml');
if (!compose) throw new Error('compose.yaml is empty');
const services = Object.entries(compose.services);
const ourServices = services.filter(([, { image }]) => image.includes('LINNET_IMAGE'));
const example = fillSecrets(readEnvironment('compose/env.example'));

/** Replaces `${NAME}`, `${NAME:-default}` and `${NAME:?message}` with the values of the example, as Compose does. */
function interpolate(text: string): string {
  return text.replaceAll(/\$\{([A-Z_]+)(?::([-?])([^}]*))?\}/g, (_, name, kind, rest) => {
    const value = example[name];
    if (value) return value;
    if (kind === '-') return rest;
    throw new Error(`${name} is missing in env.example`);
  });
}
const resolveEnvironment = ({ environment = {} }: Service) =>
  Object.fromEntries(
    Object.entries(environment).map(([name, value]) => [name, interpolate(String(value))]),
  );

describe('compose file', () => {
  it('runs API and worker with a valid configuration', () => {
    for (const [name, service] of ourServices) {
      const variables = resolveEnvironment(service);
      for (const variable of Object.keys(variables)) {
        expect(variableNames, `${name}: ${variable}`).toContain(variable);
      }
      const config = readConfig({ ...example, ...variables });
      expect(config).toMatchObject({ origin: 'https://linnet.example', STORAGE: 'local' });
      expect(config.DATABASE_URL).toBe(
        `postgres://linnet:${example.POSTGRES_PASSWORD}@database:5432/linnet`,
      );
      // All of them share the folder with the objects.
      expect(service.volumes).toContain(`data:${config.DATA_DIR}`);
    }
    expect(ourServices.map(([name]) => name)).toEqual([
      'migrate',
      'api',
      'worker',
      'backup',
      'cli',
    ]);
  });

  it('has an example environment that names only variables in use', () => {
    const used = new Set(
      [...readText('compose/compose.yaml').matchAll(/\$\{([A-Z_]+)/g)].map(([, name = '']) => name),
    );
    for (const name of Object.keys(example)) {
      expect(variableNames.has(name) || used.has(name), name).toBe(true);
    }
  });

  it.each(ourServices)('runs a script in the image, without privileges: %s', (_, service) => {
    const command = [...(service.entrypoint ?? []), ...(service.command ?? [])];
    expect(existsSync(join(root, findScript(command) ?? ''))).toBe(true);
    expect(service).toMatchObject({ user: '1000:1000', read_only: true, cap_drop: ['ALL'] });
  });

  it('runs commands that the CLI has', async () => {
    const help = await readStdout(['--help']);
    const commands = ourServices.flatMap(
      ([, { command = [] }]) => parseCliCommand(command)?.join(' ') ?? [],
    );
    expect(commands).toEqual(['migrate', 'backup']);
    for (const command of commands) expect(help).toMatch(new RegExp(`^ {2}${command}`, 'm'));
  });

  it.each(services)('limits memory, processors and privileges: %s', (_, service) => {
    expect(service.mem_limit).toMatch(/^\d+[mg]$/);
    expect(service.cpus).toBeGreaterThan(0);
    expect(service.security_opt).toEqual(['no-new-privileges:true']);
    expect(service.restart).toBeDefined();
    expect(service.healthcheck).toBeDefined();
  });

  it.each(services)('states the version of every image: %s', (_, { image }) => {
    expect(interpolate(image)).toMatch(/:(?!latest)[\w.-]+$/);
  });

  it('checks each process on its own port', () => {
    const { api, worker } = compose.services;
    const getPort = (service?: Service) => service?.healthcheck?.test?.at(-1);
    expect(getPort(api)).toBe(String(api?.environment?.PORT));
    expect(getPort(worker)).toBe(String(worker?.environment?.METRICS_PORT));
  });

  it('waits for the database before it migrates, and migrates before API and worker start', () => {
    const { api, worker, migrate } = compose.services;
    const migrated = { migrate: { condition: 'service_completed_successfully' } };
    expect(api?.depends_on).toEqual(migrated);
    expect(worker?.depends_on).toEqual(migrated);
    expect(migrate?.depends_on).toEqual({ database: { condition: 'service_healthy' } });
  });

  it('publishes only the ports of the proxy, whose network the API trusts', () => {
    for (const [name, { ports }] of services) {
      expect(ports !== undefined, name).toBe(name === 'proxy');
    }
    const inFront = services.filter(([, { networks }]) => networks?.includes('front'));
    expect(inFront.map(([name]) => name)).toEqual(['api', 'proxy']);
    const subnet = interpolate(compose.networks.front?.ipam?.config[0]?.subnet ?? '');
    const { TRUSTED_PROXIES } = resolveEnvironment(compose.services.api as Service);
    expect(TRUSTED_PROXIES).toBe(subnet);
    expect(ipaddr.parseCIDR(subnet)[0].range()).toBe('private');
    expect(readText('compose/Caddyfile')).toContain(
      `reverse_proxy api:${compose.services.api?.environment?.PORT}`,
    );
  });

  it('declares all volumes and networks', () => {
    for (const [name, { volumes = [], networks = [] }] of services) {
      for (const volume of volumes) {
        const [source = ''] = interpolate(volume).split(':');
        const isFile = source.startsWith('./');
        if (isFile) expect(existsSync(join(root, 'deploy/compose', source)), name).toBe(true);
        else expect(Object.keys(compose.volumes), name).toContain(source);
      }
      for (const network of networks)
        expect(Object.keys(compose.networks), name).toContain(network);
    }
  });
});
