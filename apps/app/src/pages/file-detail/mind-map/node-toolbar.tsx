import type { MindMapBranch } from '@linnet/mind-map/tree';
import CornerDownRight from 'lucide-react/icons/corner-down-right';
import Ellipsis from 'lucide-react/icons/ellipsis';
import Pencil from 'lucide-react/icons/pencil';
import Play from 'lucide-react/icons/play';
import Plus from 'lucide-react/icons/plus';
import TextQuote from 'lucide-react/icons/text-quote';
import Trash2 from 'lucide-react/icons/trash-2';
import { useState } from 'react';
import { formatClock } from '../../../i18n/format.ts';
import { useLanguage, useTranslation } from '../../../i18n/index.ts';
import { IconButton } from '../../../ui/button.tsx';
import { Menu } from '../../../ui/menu.tsx';
import type { TabProps } from '../tab.ts';

/** Shows the actions for the selected node. */
export function NodeToolbar({
  branch,
  isRoot,
  tab: { player, jump },
  onRename,
  onChild,
  onSibling,
  onRemove,
  onMove,
}: {
  branch: MindMapBranch;
  /** Whether the selected node is the root of the map. */
  isRoot: boolean;
  tab: TabProps;
  onRename(): void;
  onChild(): void;
  onSibling(): void;
  onRemove(): void;
  onMove(direction: 'up' | 'down' | 'in' | 'out'): void;
}) {
  const { t } = useTranslation();
  const language = useLanguage();
  const [menuAnchor, setMenuAnchor] = useState<Element | null>(null);
  const { source } = branch;
  const time = source?.time ?? null;
  const directions = ['up', 'down', 'in', 'out'] as const;
  return (
    <div
      className="map-chosen"
      role="toolbar"
      aria-label={t('mindMap.chosen')}
      data-testid="map-chosen"
    >
      <IconButton label={t('mindMap.rename')} data-testid="map-rename" onClick={onRename}>
        <Pencil size={18} />
      </IconButton>
      <IconButton label={t('mindMap.addChild')} data-testid="map-add-child" onClick={onChild}>
        <CornerDownRight size={18} className="turns" />
      </IconButton>
      {!isRoot && (
        <IconButton
          label={t('mindMap.addSibling')}
          data-testid="map-add-sibling"
          onClick={onSibling}
        >
          <Plus size={18} />
        </IconButton>
      )}
      {time !== null && (
        <IconButton
          label={t('detail.playFrom', { time: formatClock(time, language) })}
          data-testid="map-play"
          onClick={() => player.playFrom(time)}
        >
          <Play size={18} />
        </IconButton>
      )}
      {source && (
        <IconButton
          label={t('understood.toSource', { text: branch.topic })}
          data-testid="map-source"
          onClick={() => jump(source.paragraph)}
        >
          <TextQuote size={18} className="turns" />
        </IconButton>
      )}
      {!isRoot && (
        <>
          <IconButton label={t('mindMap.remove')} data-testid="map-remove" onClick={onRemove}>
            <Trash2 size={18} />
          </IconButton>
          <IconButton
            label={t('mindMap.more')}
            aria-haspopup="menu"
            data-testid="map-more"
            onClick={(event) => setMenuAnchor(event.currentTarget)}
          >
            <Ellipsis size={18} />
          </IconButton>
        </>
      )}
      <Menu
        anchor={menuAnchor}
        label={t('mindMap.more')}
        items={directions.map((direction) => ({
          kind: 'action',
          label: t(`mindMap.${direction}`),
          run: () => onMove(direction),
        }))}
        onClose={() => setMenuAnchor(null)}
      />
    </div>
  );
}
