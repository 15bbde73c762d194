import ArrowLeft from 'lucide-react/icons/arrow-left';
import type { ReactNode, RefObject } from 'react';
import { useTranslation } from '../i18n/index.ts';
import { IconButton } from '../ui/button.tsx';
import { useBack, useFocusKept, useFocusOnArrival } from './navigation.tsx';
import './page.css';

/** A screen one came to: a way back, a heading, and what belongs to it. */
export function Page({
  title,
  parent,
  step = '',
  end,
  children,
  scroller,
}: {
  title: string;
  /** Where one is, on a screen that changes as one goes on. */
  step?: string;
  /** Where back leads when there is no past. */
  parent: string;
  end?: ReactNode;
  children: ReactNode;
  scroller?: RefObject<HTMLElement | null>;
}) {
  const { t } = useTranslation();
  const back = useBack(parent);
  const heading = useFocusOnArrival<HTMLHeadingElement>();
  useFocusKept(heading, step);
  return (
    <main className="page" ref={scroller}>
      <title>{`${title} · Linnet`}</title>
      <header className="page-bar">
        <IconButton label={t('common.back')} data-testid="back" onClick={back}>
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
