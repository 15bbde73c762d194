import { makeZip } from 'client-zip';
import type { MindMapBranch } from '../../mind-map/tree.ts';

type Topic = {
  readonly id: string;
  readonly class: 'topic';
  readonly title: string;
  /** True would mark the title as a placeholder. */
  readonly titleUnedited: false;
  readonly structureClass?: string;
  readonly children?: { readonly attached: readonly Topic[] };
};

function topic({ id, topic: title, children }: MindMapBranch): Topic {
  const attached = children.map(topic);
  return {
    ...{ id, class: 'topic', title, titleUnedited: false },
    ...(attached.length > 0 && { children: { attached } }),
  };
}

/** The sheets of an XMind workbook, as in its `content.json`. */
export function xmindContent(tree: MindMapBranch) {
  return [
    {
      id: `sheet-${tree.id}`,
      class: 'sheet',
      title: tree.topic,
      topicPositioning: 'fixed',
      // Branches on both sides, the default of XMind.
      rootTopic: { ...topic(tree), structureClass: 'org.xmind.ui.map.unbalanced' },
    },
  ];
}

/**
 * A mind map in the format of XMind 2020 and later: a zip of the content as JSON, metadata and a manifest.
 */
export async function mindMapXmind(tree: MindMapBranch, version: string): Promise<Blob> {
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
