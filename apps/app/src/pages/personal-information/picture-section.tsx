import { useState } from 'react';
import { describeFailure } from '../../i18n/failures.ts';
import { useTranslation } from '../../i18n/index.ts';
import { useServices } from '../../page-kit/services-context.ts';
import type { AccountState } from '../../ports/account.ts';
import { Button } from '../../ui/button.tsx';
import { Confirm } from '../../ui/dialog.tsx';
import { useToast } from '../../ui/toast.tsx';
import { AccountPicture } from '../account/account-picture.tsx';
import { CropSheet } from './crop-sheet.tsx';

type User = Extract<AccountState, { status: 'signed-in' }>['user'];

/** The user's picture, with a button to change it. */
export function PictureSection({ user }: { user: User }) {
  const { t } = useTranslation();
  const { profile } = useServices();
  const show = useToast();
  const [chosen, setChosen] = useState<ImageBitmap | null>(null);
  const [removing, setRemoving] = useState(false);
  const [busy, setBusy] = useState(false);

  const choose = async (file: File | undefined) => {
    if (!file) return;
    try {
      setChosen(await createImageBitmap(file));
    } catch {
      // The browser can't decode the file; it reports no details.
      show({ message: t('personal.notPicture'), kind: 'error' });
    }
  };
  const forget = () => {
    chosen?.close();
    setChosen(null);
  };
  const leave = () => {
    if (!busy) forget();
  };
  const set = async (picture: Blob | null) => {
    setBusy(true);
    const result = await profile.setPicture(picture);
    setBusy(false);
    setRemoving(false);
    if (!result.ok) {
      const words = describeFailure(t, result.failure);
      show({ message: words.message, kind: 'error', sticky: words.sticky });
      return;
    }
    forget();
    show({ message: t(picture ? 'personal.pictureSaved' : 'personal.pictureRemoved') });
  };

  return (
    <section className="picture-section">
      <AccountPicture user={user} size={112} />
      <div className="picture-actions">
        <label className="button" data-look="plain">
          <span>{t(user.avatar ? 'personal.changePicture' : 'personal.choosePicture')}</span>
          <input
            type="file"
            className="visually-hidden"
            accept="image/*"
            data-testid="picture-file"
            onChange={(event) => {
              void choose(event.currentTarget.files?.[0]);
              // Allows the same file to be selected again.
              event.currentTarget.value = '';
            }}
          />
        </label>
        {user.avatar && (
          <Button look="quiet" data-testid="remove-picture" onClick={() => setRemoving(true)}>
            {t('personal.removePicture')}
          </Button>
        )}
      </div>
      {chosen && (
        <CropSheet
          picture={chosen}
          busy={busy}
          onUse={(square) => void set(square)}
          onClose={leave}
        />
      )}
      {removing && (
        <Confirm
          title={t('personal.removePictureTitle')}
          confirmLabel={t('personal.removePicture')}
          danger
          busy={busy}
          onCancel={() => setRemoving(false)}
          onConfirm={() => void set(null)}
        >
          {t('personal.removePictureText')}
        </Confirm>
      )}
    </section>
  );
}
