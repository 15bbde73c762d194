import type {
  AnalysisFiles,
  MindMapExport,
  RecordingInfo,
  SaveFailure,
} from '../../ports/analysis-files.ts';
import type { Outcome } from '../../ports/store.ts';
import { baseName, withEnding } from './file-name.ts';
import type { FileSharing } from './file-sharing.ts';

/** Creates the service that saves mind maps and to-dos as files. Each format's code is loaded on demand. */
export function createAnalysisFiles(
  { save }: Pick<FileSharing, 'save'>,
  onError: (error: unknown) => void,
): AnalysisFiles {
  async function saveOrReport(create: () => Promise<File>): Promise<Outcome<null, SaveFailure>> {
    try {
      await save(await create());
      return { ok: true, data: null };
    } catch (error) {
      onError(error);
      return { ok: false, failure: 'not-made' };
    }
  }
  return {
    saveMap: (map, format) =>
      saveOrReport(async () => {
        const { blob, ext } = await mapExporters[format](map);
        return toFile(blob, map.recording, ` (${map.label}).${ext}`);
      }),
    saveTodos: (todos, recording) =>
      saveOrReport(async () => {
        const { createCalendar } = await import('@linnet/contract/todo-calendar');
        const type = 'text/calendar;charset=utf-8';
        return toFile(
          new Blob([createCalendar({ todos, dates: [] }, new Date())], { type }),
          recording,
          '.ics',
        );
      }),
  };
}

/** @param ending the file name's suffix */
function toFile(blob: Blob, { name, at }: RecordingInfo, ending: string): File {
  return new File([blob], withEnding(baseName(name, at), ending), { type: blob.type });
}

const mapExporters = {
  async markdown({ tree }: MindMapExport) {
    const { renderMindMapMarkdown } = await import('@linnet/mind-map/markdown');
    const type = 'text/markdown;charset=utf-8';
    return { blob: new Blob([renderMindMapMarkdown(tree)], { type }), ext: 'md' };
  },
  async xmind({ tree }: MindMapExport) {
    const { createXmindFile } = await import('@linnet/mind-map/xmind');
    return { blob: await createXmindFile(tree, __APP_VERSION__), ext: 'xmind' };
  },
  async svg(map: MindMapExport) {
    return { blob: new Blob([await renderSvg(map)], { type: 'image/svg+xml' }), ext: 'svg' };
  },
  async png(map: MindMapExport) {
    const { svgToPng } = await import('./mind-map-png.ts');
    const { width, height } = map.drawing;
    return { blob: await svgToPng(await renderSvg(map), width, height), ext: 'png' };
  },
};

async function renderSvg({ tree, drawing, colors, faces }: MindMapExport): Promise<string> {
  const { renderMindMapSvg } = await import('@linnet/mind-map/svg');
  return renderMindMapSvg(tree.topic, drawing, colors, faces);
}
