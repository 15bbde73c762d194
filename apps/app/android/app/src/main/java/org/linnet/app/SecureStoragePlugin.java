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
 * Stores short secrets, encrypted with a key that never leaves Android's keystore (AES-256-GCM, with the name as
 * associated data).
 *
 * All methods reject with `failed` if the keystore is unavailable; `get` also if the secret cannot be decrypted, for
 * example after the keystore was cleared.
 */
@CapacitorPlugin(name = "SecureStorage")
public class SecureStoragePlugin extends Plugin {

    private static final String KEYSTORE = "AndroidKeyStore";
    private static final String KEY = "secrets";
    private static final String SEALED = "AES/GCM/NoPadding";
    private static final int KEY_BITS = 256;
    private static final int TAG_BITS = 128;
    /** Length of the nonce in bytes; the keystore generates one for each encryption. */
    private static final int NONCE_BYTES = 12;

    /** Resolves with `value`, absent if there is no secret. */
    @PluginMethod
    public void get(PluginCall call) {
        String name = call.getString("name", "");
        String sealed = preferences().getString(name, null);
        if (sealed == null) {
            call.resolve();
            return;
        }
        try {
            call.resolve(new JSObject().put("value", decrypt(name, Base64.decode(sealed, Base64.NO_WRAP))));
        } catch (GeneralSecurityException | IOException | RuntimeException error) {
            call.reject("The secret was not decrypted.", "failed", error);
        }
    }

    @PluginMethod
    public void set(PluginCall call) {
        String name = call.getString("name", "");
        try {
            String sealed = Base64.encodeToString(encrypt(name, call.getString("value", "")), Base64.NO_WRAP);
            finish(call, preferences().edit().putString(name, sealed).commit());
        } catch (GeneralSecurityException | IOException | RuntimeException error) {
            call.reject("The secret was not encrypted.", "failed", error);
        }
    }

    /** Removes a secret. Has no effect if there is none. */
    @PluginMethod
    public void remove(PluginCall call) {
        finish(call, preferences().edit().remove(call.getString("name", "")).commit());
    }

    private static void finish(PluginCall call, boolean written) {
        if (written) call.resolve();
        else call.reject("The secret was not written.", "failed");
    }

    private byte[] encrypt(String name, String value) throws GeneralSecurityException, IOException {
        Cipher cipher = Cipher.getInstance(SEALED);
        cipher.init(Cipher.ENCRYPT_MODE, key());
        cipher.updateAAD(name.getBytes(StandardCharsets.UTF_8));
        byte[] sealed = cipher.doFinal(value.getBytes(StandardCharsets.UTF_8));
        byte[] all = Arrays.copyOf(cipher.getIV(), NONCE_BYTES + sealed.length);
        System.arraycopy(sealed, 0, all, NONCE_BYTES, sealed.length);
        return all;
    }

    private String decrypt(String name, byte[] all) throws GeneralSecurityException, IOException {
        Cipher cipher = Cipher.getInstance(SEALED);
        cipher.init(Cipher.DECRYPT_MODE, key(), new GCMParameterSpec(TAG_BITS, all, 0, NONCE_BYTES));
        cipher.updateAAD(name.getBytes(StandardCharsets.UTF_8));
        byte[] value = cipher.doFinal(all, NONCE_BYTES, all.length - NONCE_BYTES);
        return new String(value, StandardCharsets.UTF_8);
    }

    /** Returns the key, creating it on first use. */
    private static Key key() throws GeneralSecurityException, IOException {
        KeyStore store = KeyStore.getInstance(KEYSTORE);
        store.load(null);
        Key known = store.getKey(KEY, null);
        if (known != null) return known;
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
