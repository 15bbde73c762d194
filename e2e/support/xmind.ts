/**
 * Schema of files from XMind 2020 and later, derived from XMind's own reader and types:
 * `Sources/XMind/{Manifest,Metadata,Sheet,Topic}.swift` of https://github.com/xmindltd/xmind-sdk-swift, and
 * `src/common/model.ts` of https://github.com/xmindltd/xmind-sdk-js. The two differ only in the theme, which is
 * optional.
 */
import { z } from 'zod';
import { runProgram } from './export-sheet.ts';

const topic = z.strictObject({
  id: z.string().min(1),
  class: z.literal('topic'),
  title: z.string(),
  titleUnedited: z.boolean(),
  structureClass: z.string().startsWith('org.xmind.ui.').optional(),
  get children() {
    return z.strictObject({ attached: z.array(topic).min(1) }).optional();
  },
});
type Topic = z.infer<typeof topic>;

const content = z.tuple([
  z.strictObject({
    id: z.string().min(1),
    class: z.literal('sheet'),
    title: z.string(),
    rootTopic: topic,
    topicPositioning: z.enum(['fixed', 'free']),
  }),
]);
const metadata = z.strictObject({
  activeSheetId: z.string(),
  creator: z.strictObject({ name: z.string().min(1), version: z.string().min(1) }),
});
const manifest = z.strictObject({
  'file-entries': z.record(z.string(), z.strictObject({})),
});

/** Returns all topics of a subtree, parents before children. */
const flattenTopics = (root: Topic): Topic[] => [
  root,
  ...(root.children?.attached ?? []).flatMap(flattenTopics),
];

/**
 * Reads all topic titles and the creator from an XMind file.
 * @throws ZodError, RangeError if XMind would reject the file
 */
export function readXmind(path: string): { titles: string[]; creator: string } {
  runProgram('unzip', ['-tq', path]);
  const readEntry = (name: string) => JSON.parse(runProgram('unzip', ['-p', path, name]));
  const [sheet] = content.parse(readEntry('content.json'));
  const { activeSheetId, creator } = metadata.parse(readEntry('metadata.json'));
  const listedFiles = Object.keys(manifest.parse(readEntry('manifest.json'))['file-entries']);
  const actualFiles = runProgram('unzip', ['-Z1', path]).trim().split('\n');
  const topics = flattenTopics(sheet.rootTopic);
  if (activeSheetId !== sheet.id) throw new RangeError(`no sheet ${activeSheetId}`);
  if (new Set(topics.map(({ id }) => id)).size !== topics.length)
    throw new RangeError('duplicate topic ids');
  if (actualFiles.filter((name) => name !== 'manifest.json').join() !== listedFiles.join()) {
    throw new RangeError(`files differ from the manifest: ${actualFiles}; ${listedFiles}`);
  }
  return { titles: topics.map(({ title }) => title), creator: creator.name };
}
