import {
  type InstalledModel,
  installModel,
  knownModels,
  ModelFailure,
  modelBytes,
  openModels,
  type StoredModel,
} from '../models/index.ts';
import { localCommand, table } from './command.ts';

const megabytes = (bytes: number) => `${(bytes / 1e6).toFixed(bytes < 1e7 ? 1 : 0)} MB`;
const languagesOf = ({ manifest }: InstalledModel) =>
  manifest.languages.map(({ tag }) => tag).join(' ');

/** How far the checksum of what came can be trusted, said so that somebody can judge it. */
const trusts = {
  catalogue: 'its SHA-256 is the one in the catalogue',
  listed: 'its SHA-256 is the one its publisher lists',
  'first-use':
    'nobody published a SHA-256: the one seen now is kept, and the same address has to bring the same from now on',
  folder: 'every file has the SHA-256 that its model.json says',
} as const;

/** Progress on standard error: a line for each tenth, so that a log can be read too. */
function progressLine(): (fraction: number) => void {
  let tenths = 0;
  return (fraction) => {
    const now = Math.floor(fraction * 10);
    if (now <= tenths) return;
    tenths = now;
    process.stderr.write(`${now * 10} %\n`);
  };
}

async function stateOf(model: StoredModel, verify: (model: InstalledModel) => Promise<void>) {
  if (model.state === 'damaged') return model.reason;
  try {
    await verify(model);
    return 'intact';
  } catch (error) {
    if (error instanceof ModelFailure) return error.message;
    throw error;
  }
}

export const modelCommands = [
  localCommand({
    name: 'models install',
    about: 'bring a model of the catalogue, or your own from a folder, a file or an address',
    operands: { name: 'the name of a model' },
    options: { from: { value: 'folder|file|url' } },
    async run({ config, now }, { name }, { from }) {
      const { source, ...manifest } = await installModel({
        folder: config.modelsDir,
        privateRoot: config.ENGINES_DIR,
        name,
        from,
        now,
        onProgress: progressLine(),
      });
      const size = megabytes(modelBytes(manifest));
      return `${name} is installed, ${size}; ${trusts[source?.trust ?? 'folder']}`;
    },
  }),

  localCommand({
    name: 'models list',
    about: 'what is installed, whether it is intact, and what could be',
    async run({ config }) {
      const models = openModels(config.modelsDir);
      const rows = [];
      const stored = await models.list();
      for (const model of stored) {
        const state = await stateOf(model, models.verify);
        if (model.state === 'damaged') rows.push([model.name, '', '', '', state]);
        else {
          const { kind } = model.manifest;
          const size = megabytes(modelBytes(model.manifest));
          rows.push([model.name, kind, languagesOf(model), size, state]);
        }
      }
      for (const { name, kind, languages, download } of knownModels) {
        if (stored.some((model) => model.name === name)) continue;
        const tags = languages.map(({ tag }) => tag).join(' ');
        rows.push([name, kind, tags, megabytes(download.bytes), 'can be installed']);
      }
      return table(rows, 'no model is known');
    },
  }),

  localCommand({
    name: 'models remove',
    about: 'delete an installed model',
    operands: { name: 'the name of a model' },
    async run({ config }, { name }) {
      await openModels(config.modelsDir).remove(name);
      return `${name} is removed`;
    },
  }),
];
