import { prefixes } from '@linnet/contract/routes';
import { estimateWidth } from '@linnet/mind-map/estimated-width';
import { layOutMindMap } from '@linnet/mind-map/layout';
import { renderMindMapMarkdown } from '@linnet/mind-map/markdown';
import { renderMindMapSvg } from '@linnet/mind-map/svg';
import type { MindMapBranch } from '@linnet/mind-map/tree';
import { buildTree } from '@linnet/mind-map/tree';
import { isRightToLeft } from '@linnet/mind-map/wrap';
import { createXmindFile } from '@linnet/mind-map/xmind';
import type { FastifyInstance } from 'fastify';
import type { Database } from '../../db/database.ts';
import { isId } from '../../db/ids.ts';
import { createSignedAddresses, isSessionValid } from '../../http/signed-addresses.ts';
import type { SignMindMap } from './view.ts';

/** Media types of the mind map formats, keyed by file name extension. */
const mediaTypes = {
  xmind: 'application/vnd.xmind.workbook',
  md: 'text/markdown; charset=utf-8',
  svg: 'image/svg+xml; charset=utf-8',
} as const;
export type MindMapFormat = keyof typeof mediaTypes;

/** Path prefix of all mind map files. It is followed by a task ID and the extension. */
const filesPath = `${prefixes.recorder}/mind-map`;

/** Colors of the light theme in `apps/app/src/ui/tokens.css`. */
const colors = {
  paper: '#fbf8f4',
  ink: '#1c1b1a',
  root: '#1c1b1a',
  onRoot: '#fbf8f4',
  branches: ['#b8233c', '#b0620c', '#1f6f48', '#22678a', '#5b4b9e', '#96407c'],
  washes: ['#fbe9ea', '#fbeedd', '#e6f1ea', '#e4f0f6', '#eeebf8', '#f8e9f3'],
};
const faces = { text: 'system-ui, "Noto Sans", sans-serif', display: 'Georgia, serif' };

/** Serves mind maps as files. Each file is generated from the current map on request, so nothing is stored. */
export interface MindMapFiles {
  /**
   * Returns a function that signs URLs for a session. The URLs have the same lifetime as audio URLs of the embedded
   * store.
   */
  signer(origin: string, sessionId: string): SignMindMap;
  /**
   * Returns the file for a URL's path and query. Returns `refused` if the signature is invalid, or null if the mind map
   * no longer exists.
   */
  read(url: string): Promise<MindMapFile | 'refused' | null>;
}

export interface MindMapFile {
  readonly format: MindMapFormat;
  readonly bytes: Buffer;
}

export function createMindMapFiles({
  db,
  secret,
  version,
  now,
}: {
  readonly db: Database;
  readonly secret: Uint8Array;
  /** The server's version, which is included in XMind files. */
  readonly version: string;
  readonly now: () => Date;
}): MindMapFiles {
  const addresses = createSignedAddresses(filesPath, secret);

  async function render(tree: MindMapBranch, format: MindMapFormat): Promise<Buffer> {
    switch (format) {
      case 'xmind':
        return Buffer.from(await (await createXmindFile(tree, version)).arrayBuffer());
      case 'md':
        return Buffer.from(renderMindMapMarkdown(tree));
      case 'svg': {
        const preferredSide = isRightToLeft(tree.topic) ? 'left' : 'right';
        const drawing = layOutMindMap(tree, {
          fonts: faces,
          measure: estimateWidth,
          preferredSide,
        });
        return Buffer.from(renderMindMapSvg(tree.topic, drawing, colors, faces));
      }
    }
  }

  return {
    signer: (origin, sessionId) => (taskId, format) =>
      addresses.sign(origin, `${taskId}.${format}`, now(), sessionId),

    async read(url) {
      const key = addresses.verify('', url, now());
      if (key === null || !(await isSessionValid(db, addresses.parseSession(url), now())))
        return 'refused';
      const [taskId = '', format = ''] = key.split('.');
      if (!isId(taskId) || !isFormat(format)) return null;
      const row = await db
        .selectFrom('tasks')
        .innerJoin('recordings', 'recordings.id', 'tasks.recording_id')
        .select(['tasks.xmind_json', 'recordings.mind_map'])
        .where('tasks.id', '=', taskId)
        .executeTakeFirst();
      const tree = buildTree(row?.mind_map ?? row?.xmind_json ?? []);
      return tree && { format, bytes: await render(tree, format) };
    },
  };
}

const isFormat = (name: string): name is MindMapFormat => Object.hasOwn(mediaTypes, name);

export function mindMapRoutes(app: FastifyInstance, files: MindMapFiles): void {
  app.get(`${filesPath}/*`, async (request, reply) => {
    // Allow cross-origin reads, because the native apps' pages have a different origin.
    reply.header('cross-origin-resource-policy', 'cross-origin');
    const file = await files.read(request.url);
    if (file === 'refused') return reply.code(403).type('text/plain').send('Forbidden\n');
    if (file === null) return reply.code(404).type('text/plain').send('Not found\n');
    return reply
      .header('cache-control', 'private, no-cache')
      .header('content-disposition', `attachment; filename="mind-map.${file.format}"`)
      .type(mediaTypes[file.format])
      .send(file.bytes);
  });
}
