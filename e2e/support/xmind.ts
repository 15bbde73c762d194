/**
 * Schema of a file of XMind 2020 and later, from XMind's own reader and types:
 * `Sources/XMind/{Manifest,Metadata,Sheet,Topic}.swift` of https://github.com/xmindltd/xmind-sdk-swift, and
 * `src/common/model.ts` of https://github.com/xmindltd/xmind-sdk-js. The two disagree only about the theme, for
 * which XMind has a default.
 */
import { z } from 'zod';
import { outside } from './export-sheet.ts';

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

/** All topics of a subtree, parents before children. */
const topicsIn = (one: Topic): Topic[] => [
  one,
  ...(one.children?.attached ?? []).flatMap(topicsIn),
];

/**
 * Opens an XMind file. @returns the titles of all its topics, and the creator
 * @throws ZodError, RangeError if XMind would not read it
 */
export function readXmind(path: string): { titles: string[]; creator: string } {
  outside('unzip', ['-tq', path]);
  const inside = (name: string) => JSON.parse(outside('unzip', ['-p', path, name]));
  const [sheet] = content.parse(inside('content.json'));
  const { activeSheetId, creator } = metadata.parse(inside('metadata.json'));
  const named = Object.keys(manifest.parse(inside('manifest.json'))['file-entries']);
  const held = outside('unzip', ['-Z1', path]).trim().split('\n');
  const topics = topicsIn(sheet.rootTopic);
  if (activeSheetId !== sheet.id) throw new RangeError(`no sheet ${activeSheetId}`);
  if (new Set(topics.map(({ id }) => id)).size !== topics.length) throw new RangeError('ids twice');
  if (held.filter((name) => name !== 'manifest.json').join() !== named.join()) {
    throw new RangeError(`${held} are not what is listed: ${named}`);
  }
  return { titles: topics.map(({ title }) => title), creator: creator.name };
}
