import { layOutMindMap } from '@linnet/mind-map/layout';
import type { MindMapBranch } from '@linnet/mind-map/tree';
import Download from 'lucide-react/icons/download';
import Lock from 'lucide-react/icons/lock';
import { useState } from 'react';
import { getDirection, useLanguage, useTranslation } from '../../../i18n/index.ts';
import { recordingName } from '../../../i18n/record-name.ts';
import { useNavigateTo } from '../../../page-kit/navigation.tsx';
import { paths } from '../../../page-kit/paths.ts';
import { useMember, useServices } from '../../../page-kit/services-context.ts';
import type { MapFormat } from '../../../ports/analysis-files.ts';
import { Button } from '../../../ui/button.tsx';
import { Menu } from '../../../ui/menu.tsx';
import { useToast } from '../../../ui/toast.tsx';
import type { OpenRecord } from '../open-record.ts';
import { createTextMeasure, lightColors, pageFonts } from './page-style.ts';

const formats: readonly MapFormat[] = ['png', 'svg', 'xmind', 'markdown'];

/** Exports the map as a file. Text is available to everyone; pictures and XMind require membership. */
export function SaveMap({ record, tree }: { record: OpenRecord; tree: MindMapBranch }) {
  const { t } = useTranslation();
  const language = useLanguage();
  const { analysisFiles } = useServices();
  const isMember = useMember();
  const navigateTo = useNavigateTo();
  const show = useToast();
  const [menu, setMenu] = useState<Element | null>(null);
  const [isBusy, setBusy] = useState(false);

  async function save(format: MapFormat): Promise<void> {
    setBusy(true);
    const faces = pageFonts();
    const preferredSide = getDirection(language) === 'rtl' ? 'left' : 'right';
    const name = recordingName(record, t, language);
    // The root is named after the recording, unless the user has renamed either of them.
    const exportedTree = tree.topic === record.ai_title ? { ...tree, topic: name } : tree;
    const map = {
      recording: { name, at: record.create_date },
      label: t('detail.mindMap'),
      tree: exportedTree,
      faces,
      colors: lightColors(),
      drawing: layOutMindMap(exportedTree, {
        fonts: faces,
        measure: createTextMeasure(),
        preferredSide,
      }),
    };
    const saved = await analysisFiles.saveMap(map, format);
    setBusy(false);
    if (!saved.ok) show({ message: t('understood.notSaved'), kind: 'error', sticky: true });
  }
  return (
    <>
      <Button
        busy={isBusy}
        icon={<Download size={18} aria-hidden="true" />}
        aria-haspopup="menu"
        data-testid="map-save"
        onClick={(event) => setMenu(event.currentTarget)}
      >
        <span className="map-save-words">{t('mindMap.save')}</span>
      </Button>
      <Menu
        anchor={menu}
        label={t('mindMap.save')}
        items={formats.map((format) => {
          const label = t(`mindMap.formats.${format}`);
          if (isMember || format === 'markdown') {
            return { kind: 'action', label, run: () => void save(format) };
          }
          return {
            kind: 'action',
            label: t('mindMap.forMembers', { format: label }),
            icon: <Lock size={16} aria-hidden="true" />,
            run: () =>
              show({
                message: t('mindMap.membersOnly'),
                sticky: true,
                action: { label: t('me.seeMembership'), run: () => void navigateTo(paths.vip) },
              }),
          };
        })}
        onClose={() => setMenu(null)}
      />
    </>
  );
}
