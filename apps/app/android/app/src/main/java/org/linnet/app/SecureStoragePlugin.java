package org.linnet.app;

import android.content.Context;
import android.content.SharedPreferences;
import android.security.keystore.KeyGenParameterSpec;
import android.security.keystore.KeyProperties;
import android.util.Base64;
import com.getcapacitor.JSObject;
import com.getcapacitor.Plugin;
import com.getcapacitor.PluginCall;
import com.getcapacitor.PluginMethod;
import com.getcapacitor.annotation.CapacitorPlugin;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.Key;
import java.security.KeyStore;
import java.util.Arrays;
import javax.crypto.Cipher;
import javax.crypto.KeyGenerator;
import javax.crypto.spec.GCMParameterSpec;

/**
 * Stores short secrets. They are encrypted by AES-256-GCM with a key that never leaves Android's keystore, and
 * with their name as associated data.
 *
 * All methods reject with `failed` if the keystore is unavailable. `get` also rejects with `failed` if the secret
 * cannot be decrypted, for example because the keystore was cleared.
 */
@CapacitorPlugin(name = "SecureStorage")
public class SecureStoragePlugin extends Plugin {

    private static final String KEYSTORE = "AndroidKeyStore";
    private static final String KEY = "secrets";
    private static final String TRANSFORMATION = "AES/GCM/NoPadding";
    private static final int KEY_BITS = 256;
    private static final int TAG_BITS = 128;
    /** The length of the nonce in bytes. The keystore generates a nonce for each encryption. */
    private static final int NONCE_BYTES = 12;

    /** Resolves with `value`, which is absent if no secret has this name. */
    @PluginMethod
    public void get(PluginCall call) {
        String name = call.getString("name", "");
        String stored = preferences().getString(name, null);
        if (stored == null) {
            call.resolve();
            return;
        }
        try {
            call.resolve(new JSObject().put("value", decrypt(name, Base64.decode(stored, Base64.NO_WRAP))));
        } catch (GeneralSecurityException | IOException | RuntimeException error) {
            call.reject("The secret was not decrypted.", "failed", error);
        }
    }

    @PluginMethod
    public void set(PluginCall call) {
        String name = call.getString("name", "");
        try {
            byte[] encrypted = encrypt(name, call.getString("value", ""));
            String encoded = Base64.encodeToString(encrypted, Base64.NO_WRAP);
            finish(call, preferences().edit().putString(name, encoded).commit());
        } catch (GeneralSecurityException | IOException | RuntimeException error) {
            call.reject("The secret was not encrypted.", "failed", error);
        }
    }

    /** Deletes a secret if it exists. */
    @PluginMethod
    public void remove(PluginCall call) {
        finish(call, preferences().edit().remove(call.getString("name", "")).commit());
    }

    private static void finish(PluginCall call, boolean isWritten) {
        if (isWritten) call.resolve();
        else call.reject("The secret was not written.", "failed");
    }

    /** Returns the nonce followed by the encrypted value. */
    private byte[] encrypt(String name, String value) throws GeneralSecurityException, IOException {
        Cipher cipher = Cipher.getInstance(TRANSFORMATION);
        cipher.init(Cipher.ENCRYPT_MODE, key());
        cipher.updateAAD(name.getBytes(StandardCharsets.UTF_8));
        byte[] encrypted = cipher.doFinal(value.getBytes(StandardCharsets.UTF_8));
        byte[] result = Arrays.copyOf(cipher.getIV(), NONCE_BYTES + encrypted.length);
        System.arraycopy(encrypted, 0, result, NONCE_BYTES, encrypted.length);
        return result;
    }

    private String decrypt(String name, byte[] encrypted) throws GeneralSecurityException, IOException {
        Cipher cipher = Cipher.getInstance(TRANSFORMATION);
        cipher.init(Cipher.DECRYPT_MODE, key(), new GCMParameterSpec(TAG_BITS, encrypted, 0, NONCE_BYTES));
        cipher.updateAAD(name.getBytes(StandardCharsets.UTF_8));
        byte[] value = cipher.doFinal(encrypted, NONCE_BYTES, encrypted.length - NONCE_BYTES);
        return new String(value, StandardCharsets.UTF_8);
    }

    /** Returns the key. It is created on first use. */
    private static Key key() throws GeneralSecurityException, IOException {
        KeyStore store = KeyStore.getInstance(KEYSTORE);
        store.load(null);
        Key existing = store.getKey(KEY, null);
        if (existing != null) return existing;
        KeyGenerator generator = KeyGenerator.getInstance(KeyProperties.KEY_ALGORITHM_AES, KEYSTORE);
        generator.init(
            new KeyGenParameterSpec.Builder(KEY, KeyProperties.PURPOSE_ENCRYPT | KeyProperties.PURPOSE_DECRYPT)
                .setKeySize(KEY_BITS)
                .setBlockModes(KeyProperties.BLOCK_MODE_GCM)
                .setEncryptionPaddings(KeyProperties.ENCRYPTION_PADDING_NONE)
                .build()
        );
        return generator.generateKey();
    }

    private SharedPreferences preferences() {
        return getContext().getSharedPreferences("secrets", Context.MODE_PRIVATE);
    }
}
