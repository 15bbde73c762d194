import Ellipsis from 'lucide-react/icons/ellipsis';
import ListChecks from 'lucide-react/icons/list-checks';
import RefreshCw from 'lucide-react/icons/refresh-cw';
import Trash2 from 'lucide-react/icons/trash-2';
import { useState } from 'react';
import { useTranslation } from '../../i18n/index.ts';
import { useNavigateTo } from '../../page-kit/navigation.tsx';
import { paths } from '../../page-kit/paths.ts';
import { IconButton } from '../../ui/button.tsx';
import { Menu, type MenuItem } from '../../ui/menu.tsx';

/** The menu of list actions. */
export function FilesMenu({
  onPick,
  onRefresh,
}: {
  /** Undefined if there is nothing to select. */
  onPick: (() => void) | undefined;
  onRefresh(): void;
}) {
  const { t } = useTranslation();
  const navigateTo = useNavigateTo();
  const [anchor, setAnchor] = useState<Element | null>(null);
  const items: MenuItem[] = [
    {
      kind: 'action',
      label: t('library.refresh'),
      icon: <RefreshCw size={18} />,
      run: onRefresh,
    },
    {
      kind: 'action',
      label: t('bin.title'),
      icon: <Trash2 size={18} />,
      run: () => void navigateTo(paths.recycleBin),
    },
  ];
  if (onPick) {
    items.unshift({
      kind: 'action',
      label: t('library.pick'),
      icon: <ListChecks size={18} />,
      run: onPick,
    });
  }
  return (
    <>
      <IconButton
        className="files-menu"
        label={t('library.menu')}
        aria-haspopup="menu"
        data-testid="files-menu"
        onClick={(event) => setAnchor(event.currentTarget)}
      >
        <Ellipsis size={22} />
      </IconButton>
      <Menu
        anchor={anchor}
        label={t('library.menu')}
        onClose={() => setAnchor(null)}
        items={items}
      />
    </>
  );
}
