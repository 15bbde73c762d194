import { Menu } from '@base-ui/react/menu';
import Check from 'lucide-react/icons/check';
import type { MenuProps } from './menu.tsx';
import './menu.css';

/** The open menu, controlled by its parent. */
export default function MenuPopup({ anchor, label, items, onClose }: MenuProps) {
  return (
    <Menu.Root open onOpenChange={(open) => !open && onClose()}>
      <Menu.Portal>
        <Menu.Positioner
          className="menu-positioner"
          anchor={anchor}
          sideOffset={4}
          collisionPadding={12}
          align="end"
        >
          <Menu.Popup
            className="menu"
            aria-label={label}
            finalFocus={() => (anchor instanceof HTMLElement ? anchor : true)}
          >
            {items.map((item) =>
              item.kind === 'action' ? (
                <Menu.Item
                  key={item.label}
                  className="menu-item"
                  data-danger={item.danger || undefined}
                  onClick={item.run}
                >
                  {item.icon}
                  {item.label}
                </Menu.Item>
              ) : (
                <Menu.CheckboxItem
                  key={item.label}
                  className="menu-item"
                  checked={item.checked}
                  closeOnClick
                  onClick={item.run}
                >
                  <span className="menu-check">{item.checked && <Check size={18} />}</span>
                  {item.label}
                </Menu.CheckboxItem>
              ),
            )}
          </Menu.Popup>
        </Menu.Positioner>
      </Menu.Portal>
    </Menu.Root>
  );
}
