import {
  type InstalledModel,
  installModel,
  knownModels,
  lockFolder,
  ModelFailure,
  type ModelManifest,
  type ModelStore,
  modelBytes,
  openModels,
  type StoredModel,
} from '../models/index.ts';
import { prepareEngine } from '../providers/llama/installation.ts';
import { formatTable, localCommand } from './command.ts';

const megabytes = (bytes: number) => `${(bytes / 1e6).toFixed(bytes < 1e7 ? 1 : 0)} MB`;
const formatLanguages = ({ manifest }: InstalledModel) =>
  manifest.languages.map(({ tag }) => tag).join(' ');

/** Explains how far a model's checksum can be trusted. */
const trusts = {
  catalogue: 'its SHA-256 matches the catalog',
  listed: "its SHA-256 matches its publisher's list",
  'first-use':
    'its publisher lists no SHA-256: the current one is saved, and later downloads from this URL must match it',
  folder: 'every file matches the SHA-256 in its model.json',
} as const;

/** Returns a function that writes progress to standard error, one line per 10%, which also works in logs. */
function progressLine(): (fraction: number) => void {
  let tenths = 0;
  return (fraction) => {
    const now = Math.floor(fraction * 10);
    if (now <= tenths) return;
    tenths = now;
    process.stderr.write(`${now * 10}%\n`);
  };
}

/**
 * Returns the manifest of a model that is already installed from the catalog and intact, or null if it must be
 * downloaded.
 */
async function findIntact(models: ModelStore, name: string): Promise<ModelManifest | null> {
  const model = (await models.installed()).find(({ manifest }) => manifest.name === name);
  const knownModel = knownModels.find((candidate) => candidate.name === name);
  if (!model || !knownModel || model.manifest.source?.sha256 !== knownModel.download.sha256)
    return null;
  return (await checkModel({ ...model, state: 'complete', name }, models.verify)) === 'intact'
    ? model.manifest
    : null;
}

async function checkModel(model: StoredModel, verify: (model: InstalledModel) => Promise<void>) {
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
    description: 'install a model from the catalog, or a custom model from a folder, file or URL',
    positionals: { name: 'the model name' },
    options: { from: { value: 'folder|file|url' } },
    async run({ config, now }, { name }, { from }) {
      const lock = await lockFolder(config.modelsDir);
      if (lock === null) {
        throw new ModelFailure(
          `another process is downloading models to ${config.modelsDir}: wait until it has finished`,
          { code: 'busy' },
        );
      }
      const prepare = prepareEngine(config.DATA_DIR, (text) => process.stderr.write(`${text}\n`));
      const install = async () => {
        const intactModel =
          from === undefined ? await findIntact(openModels(config.modelsDir), name) : null;
        if (intactModel) await prepare(intactModel.kind);
        return (
          intactModel ??
          installModel({
            folder: config.modelsDir,
            privateRoot: config.ENGINES_DIR,
            prepare,
            mirror: config.MODELS_URL,
            name,
            from,
            now,
            onProgress: progressLine(),
          })
        );
      };
      const { source, ...manifest } = await install()
        .catch((error: unknown) => {
          if (!(error instanceof ModelFailure) || error.code !== 'unreachable') throw error;
          throw new ModelFailure(`${error.message}. Run the command again to resume.`, {
            code: error.code,
            cause: error,
          });
        })
        .finally(lock.release);
      const size = megabytes(modelBytes(manifest));
      return `${name} is installed, ${size}; ${trusts[source?.trust ?? 'folder']}`;
    },
  }),

  localCommand({
    name: 'models list',
    description: 'list installed models with their state, and available ones',
    async run({ config }) {
      const models = openModels(config.modelsDir);
      const rows = [];
      const storedModels = await models.list();
      for (const model of storedModels) {
        const state = await checkModel(model, models.verify);
        if (model.state === 'damaged') rows.push([model.name, '', '', '', state]);
        else {
          const { kind } = model.manifest;
          const size = megabytes(modelBytes(model.manifest));
          rows.push([model.name, kind, formatLanguages(model), size, state]);
        }
      }
      for (const { name, kind, languages, download } of knownModels) {
        if (storedModels.some((model) => model.name === name)) continue;
        const tags = languages.map(({ tag }) => tag).join(' ');
        rows.push([name, kind, tags, megabytes(download.bytes), 'available']);
      }
      return formatTable(rows, 'no models');
    },
  }),

  localCommand({
    name: 'models remove',
    description: 'delete an installed model',
    positionals: { name: 'the model name' },
    async run({ config }, { name }) {
      await openModels(config.modelsDir).remove(name);
      return `${name} is removed`;
    },
  }),
];
