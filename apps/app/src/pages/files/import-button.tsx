import Plus from 'lucide-react/icons/plus';
import { useRef } from 'react';
import { useTranslation } from '../../i18n/index.ts';
import { useServices } from '../../page-kit/services-context.ts';
import { IconButton } from '../../ui/button.tsx';

/** File types for the system's file picker. The extensions are for systems that don't recognize a media type. */
const accept =
  'audio/*,video/mp4,video/webm,.wav,.mp3,.m4a,.aac,.ogg,.oga,.opus,.flac,.weba,.webm,.mp4,.mov';

/** Imports audio files as recordings. */
export function ImportButton() {
  const { t } = useTranslation();
  const { imports } = useServices();
  const input = useRef<HTMLInputElement>(null);
  return (
    <>
      <IconButton
        label={t('imports.add')}
        data-testid="import"
        onClick={() => input.current?.click()}
      >
        <Plus size={22} />
      </IconButton>
      <input
        ref={input}
        type="file"
        multiple
        hidden
        accept={accept}
        data-testid="import-files"
        onChange={({ currentTarget }) => {
          imports.add([...(currentTarget.files ?? [])]).catch(reportError);
          // Allow the same file to be selected again.
          currentTarget.value = '';
        }}
      />
    </>
  );
}
