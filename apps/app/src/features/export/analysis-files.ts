import type {
  AnalysisFiles,
  MindMapExport,
  RecordingInfo,
  SaveFailure,
} from '../../ports/analysis-files.ts';
import type { Outcome } from '../../ports/store.ts';
import { baseName } from './file-name.ts';
import type { FileSharing } from './file-sharing.ts';

/** Exports mind maps and to-dos as files. The code for each format is loaded on demand. */
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
        const { blob, ext } = await exporters[format](map);
        return toFile(blob, map.recording, ext);
      }),
    saveTodos: (todos, recording) =>
      saveOrReport(async () => {
        const { todoCalendar } = await import('./todo-calendar.ts');
        const type = 'text/calendar;charset=utf-8';
        return toFile(new Blob([todoCalendar(todos, new Date())], { type }), recording, 'ics');
      }),
  };
}

function toFile(blob: Blob, { name, at }: RecordingInfo, extension: string): File {
  return new File([blob], `${baseName(name, at)}.${extension}`, { type: blob.type });
}

const exporters = {
  async markdown({ tree }: MindMapExport) {
    const { mindMapMarkdown } = await import('./mind-map-markdown.ts');
    const type = 'text/markdown;charset=utf-8';
    return { blob: new Blob([mindMapMarkdown(tree)], { type }), ext: 'md' };
  },
  async xmind({ tree }: MindMapExport) {
    const { mindMapXmind } = await import('./mind-map-xmind.ts');
    return { blob: await mindMapXmind(tree, __APP_VERSION__), ext: 'xmind' };
  },
  async svg(map: MindMapExport) {
    return { blob: new Blob([await renderSvg(map)], { type: 'image/svg+xml' }), ext: 'svg' };
  },
  async png(map: MindMapExport) {
    const { pngOfSvg } = await import('./mind-map-png.ts');
    const { width, height } = map.drawing;
    return { blob: await pngOfSvg(await renderSvg(map), width, height), ext: 'png' };
  },
};

async function renderSvg({ tree, drawing, colors, faces }: MindMapExport): Promise<string> {
  const { mindMapSvg } = await import('./mind-map-svg.ts');
  return mindMapSvg(tree.topic, drawing, colors, faces);
}
