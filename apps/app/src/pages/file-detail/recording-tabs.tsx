import { Tabs } from '@base-ui/react/tabs';
import LayoutList from 'lucide-react/icons/layout-list';
import { useEffect, useRef, useState } from 'react';
import { formatCount } from '../../i18n/format.ts';
import { useLanguage, useTranslation } from '../../i18n/index.ts';
import { IconButton } from '../../ui/button.tsx';
import { Menu, preloadMenu } from '../../ui/menu.tsx';
import type { TabName } from './tabs.ts';

/** A tab with its number of items, or null if they aren't counted. */
type CountedTab = { readonly name: TabName; readonly items: number | null };

/** Scrolls the selected tab into view, initially and after a resize. */
function useTabInView(tab: TabName) {
  const list = useRef<HTMLDivElement>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs for each newly selected tab.
  useEffect(() => {
    const tabs = list.current;
    if (!tabs) return;
    const observer = new ResizeObserver(() => {
      const tabButton = tabs.querySelector('[aria-selected="true"]');
      tabButton?.scrollIntoView({ block: 'nearest', inline: 'nearest' });
    });
    observer.observe(tabs);
    // Tabs grow when their item counts arrive.
    for (const tabButton of tabs.children) observer.observe(tabButton);
    return () => observer.disconnect();
  }, [tab]);
  return list;
}

/** Shows the tabs in a scrolling row, followed by a menu of all tabs. Must be inside `Tabs.Root`. */
export function RecordingTabs({
  tabs,
  selected,
  onSelect,
}: {
  tabs: readonly CountedTab[];
  selected: TabName;
  onSelect(tab: TabName): void;
}) {
  const { t } = useTranslation();
  const language = useLanguage();
  const list = useTabInView(selected);
  const [menuAnchor, setMenuAnchor] = useState<Element | null>(null);
  return (
    <div className="detail-tab-bar">
      <Tabs.List ref={list} className="detail-tabs" aria-label={t('detail.tabs')} activateOnFocus>
        {tabs.map(({ name, items }) => (
          <Tabs.Tab
            key={name}
            value={name}
            className="detail-tab"
            data-testid={`tab-${name}`}
            data-empty={items === 0 || undefined}
          >
            {t(`detail.${name}`)}
            {items !== null && items > 0 && (
              <span className="detail-count tabular">{formatCount(items, language)}</span>
            )}
          </Tabs.Tab>
        ))}
      </Tabs.List>
      <IconButton
        label={t('detail.tabs')}
        aria-haspopup="menu"
        data-testid="all-tabs"
        onPointerEnter={preloadMenu}
        onClick={(event) => setMenuAnchor(event.currentTarget)}
      >
        <LayoutList size={20} />
      </IconButton>
      <Menu
        anchor={menuAnchor}
        label={t('detail.tabs')}
        items={tabs.map(({ name, items }) => ({
          kind: 'choice',
          label:
            items === null
              ? t(`detail.${name}`)
              : t('detail.tabWithCount', {
                  name: t(`detail.${name}`),
                  formatted: formatCount(items, language),
                }),
          checked: name === selected,
          run: () => onSelect(name),
        }))}
        onClose={() => setMenuAnchor(null)}
      />
    </div>
  );
}
