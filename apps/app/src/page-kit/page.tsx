import ArrowLeft from 'lucide-react/icons/arrow-left';
import type { ReactNode, RefObject } from 'react';
import { useTranslation } from '../i18n/index.ts';
import { IconButton } from '../ui/button.tsx';
import { useBack, useFocusOnArrival, useFocusRestore } from './navigation.tsx';
import './page.css';

/** A pushed screen with a back button, a heading and its content. */
export function Page({
  title,
  parent,
  step = '',
  end,
  children,
  scroller,
}: {
  title: string;
  /** The current step, for screens with several steps. */
  step?: string;
  /** The back button's target when there is no history. */
  parent: string;
  end?: ReactNode;
  children: ReactNode;
  scroller?: RefObject<HTMLElement | null>;
}) {
  const { t } = useTranslation();
  const goBack = useBack(parent);
  const heading = useFocusOnArrival<HTMLHeadingElement>();
  useFocusRestore(heading, step);
  return (
    <main className="page" ref={scroller}>
      <title>{`${title} · Linnet`}</title>
      <header className="page-bar">
        <IconButton label={t('common.back')} data-testid="back" onClick={goBack}>
          <ArrowLeft className="turns" size={22} />
        </IconButton>
        <span className="page-bar-end">{end}</span>
      </header>
      <div className="page-body">
        <h1 className="page-title display" ref={heading} tabIndex={-1}>
          {title}
        </h1>
        {children}
      </div>
    </main>
  );
}

/** A card of rows under a small heading. */
export function Section({ title, children }: { title?: string; children: ReactNode }) {
  return (
    <section className="section">
      {title && <h2 className="section-title">{title}</h2>}
      <div className="card">{children}</div>
    </section>
  );
}
