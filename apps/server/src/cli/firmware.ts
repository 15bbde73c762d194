import { createPublicKey } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { createFirmware, publishFirmware } from '../modules/firmware/service.ts';
import { getPublicKey, signingKey } from '../modules/firmware/signing.ts';
import { selectStore } from '../providers/storage/index.ts';
import { CommandFailure, command, formatTable } from './command.ts';

export const firmwareCommands = [
  command({
    name: 'firmware publish',
    description: 'sign an image and offer it to a model',
    positionals: { file: 'the image file' },
    options: {
      project: { value: 'code' },
      version: { value: 'version' },
      notes: { value: 'text' },
      key: { value: 'file.pem' },
      'allow-older': 'flag',
    },
    async run({ config, db, now }, { file }, options) {
      const { project: code, version, notes = '', key: pem } = options;
      if (code === undefined || version === undefined) {
        throw new CommandFailure('--project and --version are required');
      }
      const published = await publishFirmware(db, await selectStore(config), {
        code,
        version,
        notes,
        image: await readFile(file),
        key: await signingKey(config.DATA_DIR, pem),
        allowOlder: options['allow-older'] ?? false,
        now: now(),
      });
      return `${code} ${version} is offered: ${published.size} bytes, sha256 ${published.sha256}`;
    },
  }),

  command({
    name: 'firmware list',
    description: 'list published versions and which of them are offered',
    async run({ config }) {
      const firmware = createFirmware(await selectStore(config));
      const rows = [];
      for (const {
        project_code: code,
        version,
        size,
        published_at: publishedAt,
      } of await firmware.list()) {
        const isOffered = (await firmware.latest(code))?.version === version;
        rows.push([code, version, `${size} bytes`, publishedAt, isOffered ? 'offered' : '']);
      }
      return formatTable(rows, 'no published firmware');
    },
  }),

  command({
    name: 'firmware key',
    description: 'print the public key that recorders verify signatures with',
    options: { key: { value: 'file.pem' } },
    async run({ config }, _, { key: pem }) {
      const key = await signingKey(config.DATA_DIR, pem);
      const text = createPublicKey(key).export({ type: 'spki', format: 'pem' });
      return `${getPublicKey(key)}\n${String(text).trimEnd()}`;
    },
  }),
];
