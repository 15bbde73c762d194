import { makeZip } from 'client-zip';
import type { MindMapBranch } from './tree.ts';

type Topic = {
  readonly id: string;
  readonly class: 'topic';
  readonly title: string;
  /** If true, XMind would treat the title as a placeholder. */
  readonly titleUnedited: false;
  readonly structureClass?: string;
  readonly children?: { readonly attached: readonly Topic[] };
};

function toTopic({ id, topic: title, children }: MindMapBranch): Topic {
  const topic: Topic = { id, class: 'topic', title, titleUnedited: false };
  const attached = children.map(toTopic);
  return attached.length > 0 ? { ...topic, children: { attached } } : topic;
}

/** Returns the sheets of an XMind workbook, the content of `content.json`. */
export function xmindContent(tree: MindMapBranch) {
  return [
    {
      id: `sheet-${tree.id}`,
      class: 'sheet',
      title: tree.topic,
      topicPositioning: 'fixed',
      // XMind's default layout, with branches on both sides.
      rootTopic: { ...toTopic(tree), structureClass: 'org.xmind.ui.map.unbalanced' },
    },
  ];
}

/**
 * Creates a workbook for XMind 2020 and later: a zip file with the content, metadata and a manifest, all in JSON.
 * @param version the app's version
 */
export async function createXmindFile(tree: MindMapBranch, version: string): Promise<Blob> {
  const content = xmindContent(tree);
  const parts = {
    'content.json': content,
    'metadata.json': { activeSheetId: content[0]?.id, creator: { name: 'Linnet', version } },
    'manifest.json': { 'file-entries': { 'content.json': {}, 'metadata.json': {} } },
  };
  const files = Object.entries(parts).map(([name, part]) => ({
    name,
    input: JSON.stringify(part),
  }));
  const bytes = await new Response(makeZip(files)).arrayBuffer();
  return new Blob([bytes], { type: 'application/vnd.xmind.workbook' });
}
