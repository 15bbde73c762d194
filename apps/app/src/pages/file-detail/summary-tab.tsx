import type { CallFailure } from '@linnet/contract/client';
import type { StructureId } from '@linnet/contract/structures';
import { defaultStructure, structureHeadings } from '@linnet/contract/structures';
import Sparkles from 'lucide-react/icons/sparkles';
import { useMemo, useState } from 'react';
import { useServerFacts, useServices, useStore } from '../../app-shell/services-context.ts';
import { callWords } from '../../i18n/failures.ts';
import { clock } from '../../i18n/format.ts';
import { useLanguage, useTranslation } from '../../i18n/index.ts';
import { Button } from '../../ui/button.tsx';
import { Empty, Notice, Waiting } from '../../ui/notice.tsx';
import type { RowState } from '../files/row-state.ts';
import type { OpenRecord } from './open-record.ts';
import type { SummaryPoint } from './summary-points.ts';
import { summaryDocument, summarySections } from './summary-points.ts';
import { SummaryStructures } from './summary-structures.tsx';
import type { Player } from './use-player.ts';

/** What the owner last asked for here, and what became of it. */
type Making =
  | { readonly kind: 'idle' }
  | { readonly kind: 'waiting'; readonly structure: StructureId }
  | {
      readonly kind: 'failed';
      readonly structure: StructureId;
      readonly failure: CallFailure;
    };

type Heading = (typeof structureHeadings)[keyof typeof structureHeadings][number];
const headings: ReadonlySet<string> = new Set(Object.values(structureHeadings).flat());
const isHeading = (key: string): key is Heading => headings.has(key);

function Points({ points, player }: { points: readonly SummaryPoint[]; player: Player }) {
  const { t } = useTranslation();
  const language = useLanguage();
  return (
    <ul className="summary-points">
      {points.map(({ key, text, time }) => (
        <li key={key}>
          <p dir="auto">{text}</p>
          {time !== null && (
            <button
              type="button"
              className="paragraph-time tabular"
              aria-label={t('detail.playFrom', { time: clock(time, language) })}
              onClick={() => player.playFrom(time)}
            >
              {clock(time, language)}
            </button>
          )}
        </li>
      ))}
    </ul>
  );
}

/** What it comes down to: the gist, the points with where they were said, the keywords. */
export function SummaryTab({
  record,
  state,
  player,
}: {
  record: OpenRecord;
  state: RowState;
  player: Player;
}) {
  const { t } = useTranslation();
  const { library, account } = useServices();
  const { facts } = useServerFacts();
  const membership = useStore(account.membership);
  const document = useMemo(() => summaryDocument(record.summary_json), [record.summary_json]);
  const [chosen, setChosen] = useState<StructureId | null>(null);
  const [making, setMaking] = useState<Making>({ kind: 'idle' });

  if (record.content.length === 0 && state.kind !== 'done') {
    return <Empty title={t('detail.noSummary')}>{t('detail.noSummaryHint')}</Empty>;
  }
  const open = membership?.isVip === true || facts?.billing === 'off';
  const shown = chosen ?? document?.structure ?? defaultStructure;
  const sections = summarySections(record, document, shown);
  const closed = !open && shown !== defaultStructure;
  // A template is written in a page of its own.
  const offered = facts?.analysis.structures.filter((one) => one !== 'custom') ?? [];

  async function make(structure: StructureId): Promise<void> {
    setMaking({ kind: 'waiting', structure });
    const made = await library.summarize(record.id, { structure });
    setMaking(made.ok ? { kind: 'idle' } : { kind: 'failed', structure, failure: made.failure });
  }
  function choose(structure: StructureId): void {
    setChosen(structure);
    const there = document?.structures[structure] !== undefined;
    const allowed = open || structure === defaultStructure;
    if (!there && allowed && making.kind !== 'waiting') void make(structure);
  }

  const waiting = making.kind === 'waiting';
  const failed = making.kind === 'failed' && making.structure === shown ? making : null;
  return (
    <article className="summary" data-testid="summary">
      {document && <p className="detail-label">{t(`detail.${document.kind}`)}</p>}
      {record.brief && (
        <p className="summary-brief" dir="auto">
          {record.brief}
        </p>
      )}
      {offered.length > 1 && (
        <SummaryStructures offered={offered} shown={shown} locked={!open} onChoose={choose} />
      )}
      {failed && (
        <Notice
          {...callWords(t, failed.failure)}
          action={<Button onClick={() => void make(shown)}>{t('common.retry')}</Button>}
        />
      )}
      {closed ? (
        <Notice tone="plain" what={t('server.membersOnly')} />
      ) : waiting && making.structure === shown && sections.length === 0 ? (
        <Waiting lines={4} />
      ) : (
        sections.map(({ heading, points }) => (
          <section key={heading}>
            <h2 dir="auto">{isHeading(heading) ? t(`summary.headings.${heading}`) : heading}</h2>
            <Points points={points} player={player} />
          </section>
        ))
      )}
      {!closed && !waiting && sections.length === 0 && !failed && (
        <p className="summary-nothing">
          {t(record.brief ? 'summary.nothingHere' : 'detail.nothingToSummarise')}
        </p>
      )}
      {record.keywords.length > 0 && (
        <section>
          <h2>{t('detail.keywords')}</h2>
          <ul className="keywords" data-testid="keywords">
            {record.keywords.map((keyword) => (
              <li key={keyword} dir="auto">
                {keyword}
              </li>
            ))}
          </ul>
        </section>
      )}
      {!closed && (
        <section className="summary-again">
          <p>{t('summary.againHint')}</p>
          <Button
            icon={<Sparkles size={18} aria-hidden="true" />}
            busy={waiting}
            data-testid="summarize"
            onClick={() => void make(shown)}
          >
            {t(waiting ? 'summary.making' : 'summary.again')}
          </Button>
        </section>
      )}
    </article>
  );
}
