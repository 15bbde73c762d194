import Link2 from 'lucide-react/icons/link-2';
import { useCallback, useEffect, useMemo, useState } from 'react';
import { type ExportPart, exportParts } from '../../export-parts.ts';
import { formatCount } from '../../i18n/format.ts';
import { useLanguage, useTranslation } from '../../i18n/index.ts';
import { useMember, useServices } from '../../page-kit/services-context.ts';
import type { ExportChoice, ExportOffer, TextFormat } from '../../ports/exports.ts';
import { Button } from '../../ui/button.tsx';
import { SegmentedControl } from '../../ui/choice.tsx';
import { LoadingPlaceholder, Notice } from '../../ui/notice.tsx';
import { Sheet } from '../../ui/sheet.tsx';
import { RecordingLinks } from '../share-links/recording-links.tsx';
import { audioFormatHint } from './audio-format-hint.ts';
import { CheckChips, FormatChips } from './chips.tsx';
import { ExportActions } from './export-actions.tsx';
import { ExportPreview } from './export-preview.tsx';
import { audioFormats, hasParts, isForMembers, textFormats } from './remembered-choice.ts';
import { useExportChoice } from './use-export.ts';
import '../../ui/pick.css';
import './export.css';

type FormProps = { readonly ids: readonly string[]; readonly offer: ExportOffer; onDone(): void };

/** The offer for multiple recordings: every option, regardless of their content. */
const allOptions: ExportOffer = {
  parts: exportParts,
  marked: true,
  speakers: true,
  denoised: true,
};

function ExportForm({ ids, offer, onDone }: FormProps) {
  const { t } = useTranslation();
  const isMember = useMember();
  const { choice: readLastChoice, choose } = useExportChoice();
  const choice = useMemo(
    () => readLastChoice && limitChoice(readLastChoice, offer),
    [readLastChoice, offer],
  );
  if (!choice) return <LoadingPlaceholder lines={4} />;
  const { what, text, sound } = choice;
  const hasText = what !== 'sound';
  const hint = audioFormatHint(choice, ids);
  const [id = ''] = ids;
  const emptyReason = hasText && ids.length === 1 ? findEmptyReason(choice, offer) : null;
  const toggle = (part: ExportPart, isOn: boolean) =>
    choose({
      parts: exportParts.filter((each) => (each === part ? isOn : choice.parts.includes(each))),
    });
  const flag = (value: 'speakers' | 'times' | 'marked' | 'folders') => ({
    value,
    label: t(`export.${value}`),
    isOn: choice[value],
  });
  const options = [
    ...(hasText && text !== 'json' && offer.speakers ? [flag('speakers')] : []),
    ...(hasText && hasParts(text) && offer.parts.length > 0 ? [flag('times')] : []),
    ...(hasText && text !== 'json' && offer.marked ? [flag('marked')] : []),
    ...(ids.length > 1 && !(what === 'text' && text === 'pdf') ? [flag('folders')] : []),
  ];
  return (
    <div className="export-form">
      <SegmentedControl
        label={t('export.what')}
        value={what}
        options={(['text', 'sound', 'both'] as const).map((value) => ({
          value,
          label: t(`export.whats.${value}`),
        }))}
        onChange={(value) => choose({ what: value })}
      />
      {hasText && (
        <div className="export-group">
          <FormatChips<TextFormat>
            label={t(what === 'both' ? 'export.textFormat' : 'export.format')}
            // PDFs can't be put in an archive.
            formats={textFormats.filter((format) => what === 'text' || format !== 'pdf')}
            value={text}
            name={(format) => t(`export.formats.${format}`)}
            isLocked={(format) => !isMember && isForMembers({ ...choice, text: format })}
            onChange={(format) => choose({ text: format })}
          />
          <p className="export-hint">{t(`export.hints.${text}`)}</p>
        </div>
      )}
      {hasText && hasParts(text) && offer.parts.length > 0 && (
        <CheckChips
          label={t('export.include')}
          options={exportParts
            .filter((part) => offer.parts.includes(part))
            .map((part) => ({
              value: part,
              label: t(`export.parts.${part}`),
              isOn: choice.parts.includes(part),
            }))}
          onToggle={toggle}
        />
      )}
      {what !== 'text' && (
        <div className="export-group">
          <FormatChips
            label={t(what === 'both' ? 'export.soundFormat' : 'export.format')}
            formats={audioFormats}
            value={sound}
            name={(format) => t(`export.formats.${format}`)}
            onChange={(format) => choose({ sound: format })}
          />
          {hint && <p className="export-hint">{t(`export.hints.${hint}`)}</p>}
        </div>
      )}
      {what !== 'text' && offer.denoised && (
        <SegmentedControl
          label={t('export.version')}
          value={choice.version}
          options={[
            { value: 'original', label: t('audio.noise.original') },
            { value: 'cleaner', label: t('audio.noise.cleaner') },
          ]}
          onChange={(version) => choose({ version })}
        />
      )}
      {options.length > 0 && (
        <CheckChips
          label={t('export.with')}
          options={options}
          onToggle={(value, isOn) => choose({ [value]: isOn })}
        />
      )}
      {hasText && emptyReason === null && <ExportPreview id={id} choice={choice} />}
      <div className="export-actions">
        <ExportActions ids={ids} choice={choice} emptyReason={emptyReason} onDone={onDone} />
      </div>
    </div>
  );

  /** Returns the translated reason why the text would be empty, or null if it wouldn't. */
  function findEmptyReason(
    { parts, text: format, what: content }: ExportChoice,
    contents: ExportOffer,
  ) {
    // Empty text is fine if audio is included.
    if (format === 'json' || content === 'both') return null;
    if (contents.parts.length === 0) return t('export.noText');
    const selectedParts = hasParts(format) ? parts : ['transcript'];
    return contents.parts.some((part) => selectedParts.includes(part)) ? null : t('export.nothing');
  }
}

/** Limits a choice to the available options. */
function limitChoice(choice: ExportChoice, { marked, denoised }: ExportOffer): ExportChoice {
  return {
    ...choice,
    text: choice.what === 'both' && choice.text === 'pdf' ? 'docx' : choice.text,
    version: denoised ? choice.version : 'original',
    marked: choice.marked && marked,
  };
}

function SingleExport({ id, onDone }: { id: string; onDone(): void }) {
  const { t } = useTranslation();
  const { exports } = useServices();
  const [offer, setOffer] = useState<ExportOffer | 'gone' | 'failed' | null>(null);
  const load = useCallback(() => {
    setOffer(null);
    exports.offer(id).then(
      (found) => setOffer(found ?? 'gone'),
      // The app's log has the details; the sheet only offers a retry.
      () => setOffer('failed'),
    );
  }, [exports, id]);
  useEffect(load, [load]);
  const ids = useMemo(() => [id], [id]);
  if (offer === null) return <LoadingPlaceholder lines={4} />;
  if (offer === 'gone') {
    return <Notice message={t('detail.notFound')} detail={t('detail.notFoundHint')} />;
  }
  if (offer === 'failed') {
    return (
      <Notice
        message={t('export.failed.not_loaded.what')}
        detail={t('export.failed.not_loaded.means')}
        action={<Button onClick={load}>{t('common.retry')}</Button>}
      />
    );
  }
  return <ExportForm ids={ids} offer={offer} onDone={onDone} />;
}

/** The export sheet: content, format, and buttons to save, share and print. */
export default function ExportSheet({ ids, onClose }: { ids: readonly string[]; onClose(): void }) {
  const { t } = useTranslation();
  const language = useLanguage();
  const [id] = ids;
  const [sharesLink, setSharesLink] = useState(false);
  const title =
    ids.length === 1
      ? t('export.title')
      : t('export.titleMany', { count: ids.length, formatted: formatCount(ids.length, language) });
  return (
    <Sheet title={sharesLink ? t('shareLinks.open') : title} onClose={onClose}>
      {sharesLink && id !== undefined ? (
        <RecordingLinks id={id} />
      ) : ids.length === 1 && id !== undefined ? (
        <>
          <Button
            wide
            icon={<Link2 size={20} />}
            data-testid="share-link-open"
            onClick={() => setSharesLink(true)}
          >
            {t('shareLinks.open')}
          </Button>
          <SingleExport id={id} onDone={onClose} />
        </>
      ) : (
        <ExportForm ids={ids} offer={allOptions} onDone={onClose} />
      )}
    </Sheet>
  );
}
