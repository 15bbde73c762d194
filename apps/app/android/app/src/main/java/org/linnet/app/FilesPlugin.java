package org.linnet.app;

import android.app.Activity;
import android.content.ActivityNotFoundException;
import android.content.ContentResolver;
import android.content.Intent;
import android.database.Cursor;
import android.net.Uri;
import android.provider.DocumentsContract;
import android.provider.OpenableColumns;
import android.util.Base64;
import androidx.activity.result.ActivityResult;
import androidx.core.content.IntentCompat;
import com.getcapacitor.JSArray;
import com.getcapacitor.JSObject;
import com.getcapacitor.Logger;
import com.getcapacitor.Plugin;
import com.getcapacitor.PluginCall;
import com.getcapacitor.PluginMethod;
import com.getcapacitor.annotation.ActivityCallback;
import com.getcapacitor.annotation.CapacitorPlugin;
import java.io.File;
import java.io.FileInputStream;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/**
 * Receives files shared by other apps, and saves exported files where the user chooses. Received files persist until
 * they are dropped. Requires no permission, because the user consents to each file.
 */
@CapacitorPlugin(name = "Files")
public class FilesPlugin extends Plugin {

    /** Copies files, which may be large, without blocking the thread shared by all plugins. */
    private final ExecutorService copies = Executors.newSingleThreadExecutor();

    /** Deletes files written before this start, which other apps have read by now. */
    @Override
    public void load() {
        for (File file : ordered(outgoing())) drop(file);
    }

    /** Pending copies still complete. */
    @Override
    protected void handleOnDestroy() {
        copies.shutdown();
    }

    /** Also called with the intent that started the app. */
    @Override
    protected void handleOnNewIntent(Intent intent) {
        receive(intent);
    }

    /** Writes a piece of an outgoing file; piece 0 replaces the file. Resolves with its URI. */
    @PluginMethod
    public void write(PluginCall call) {
        File file = outgoing(call);
        boolean more = call.getInt("piece", 0) > 0;
        try (OutputStream out = new FileOutputStream(file, more)) {
            out.write(Base64.decode(call.getString("data", ""), Base64.DEFAULT));
            call.resolve(new JSObject().put("uri", Uri.fromFile(file).toString()));
        } catch (IOException error) {
            call.reject("The file was not written.", "storage_full", error);
        } catch (IllegalArgumentException error) {
            call.reject("Invalid base64 data.", "io_failed", error);
        }
    }

    /** Lets the user choose a location and saves a written file there. Resolves with whether it was saved. */
    @PluginMethod
    public void save(PluginCall call) {
        Intent choose = new Intent(Intent.ACTION_CREATE_DOCUMENT)
            .addCategory(Intent.CATEGORY_OPENABLE)
            .setType(call.getString("type", "application/octet-stream"))
            .putExtra(Intent.EXTRA_TITLE, outgoing(call).getName());
        try {
            startActivityForResult(call, choose, "chosen");
        } catch (ActivityNotFoundException error) {
            call.reject("No app can save files.", "unsupported", error);
        }
    }

    @ActivityCallback
    private void chosen(PluginCall call, ActivityResult result) {
        if (call == null) return;
        Intent answer = result.getData();
        if (result.getResultCode() != Activity.RESULT_OK || answer == null || answer.getData() == null) {
            call.resolve(new JSObject().put("saved", false));
            return;
        }
        Uri location = answer.getData();
        copies.execute(() -> export(call, location));
    }

    private void export(PluginCall call, Uri location) {
        boolean started = false;
        // Truncates an existing file, which may be longer.
        try (
            InputStream in = new FileInputStream(outgoing(call));
            OutputStream out = resolver().openOutputStream(location, "wt")
        ) {
            started = true;
            copy(in, out);
        } catch (IOException error) {
            if (started) dropDocument(location);
            call.reject("The file was not written.", "storage_full", error);
            return;
        } catch (RuntimeException error) {
            // Thrown by the app that provides the location.
            if (started) dropDocument(location);
            call.reject("The file was not written.", "io_failed", error);
            return;
        }
        call.resolve(new JSObject().put("saved", true));
    }

    /** Deletes a partially written document. */
    private void dropDocument(Uri location) {
        try {
            if (!DocumentsContract.deleteDocument(resolver(), location)) Logger.error("Files", "failed to delete a partial file", null);
        } catch (IOException | RuntimeException error) {
            Logger.error("Files", "failed to delete a partial file", error);
        }
    }

    /** Deletes a written file. */
    @PluginMethod
    public void discard(PluginCall call) {
        drop(outgoing(call));
        call.resolve();
    }

    /** Lists files shared by other apps and not dropped, oldest first. */
    @PluginMethod
    public void shared(PluginCall call) {
        JSArray files = new JSArray();
        for (File file : ordered(incoming())) {
            JSObject about = new JSObject();
            about.put("uri", Uri.fromFile(file).toString());
            // The name follows a number that makes it unique.
            about.put("name", file.getName().substring(file.getName().indexOf('-') + 1));
            about.put("modified", file.lastModified());
            files.put(about);
        }
        call.resolve(new JSObject().put("files", files));
    }

    @PluginMethod
    public void dropShared(PluginCall call) {
        String path = Uri.parse(call.getString("uri", "")).getLastPathSegment();
        if (path != null) drop(new File(incoming(), path));
        call.resolve();
    }

    /** Copies shared files, since the permission to read them ends with this activity. */
    private void receive(Intent intent) {
        if (intent == null || (intent.getFlags() & Intent.FLAG_ACTIVITY_LAUNCHED_FROM_HISTORY) != 0) return;
        List<Uri> uris = sharedUris(intent);
        if (uris.isEmpty()) return;
        copies.execute(() -> {
            JSArray failed = new JSArray();
            // The numbers preserve the order, after files received earlier.
            long first = System.currentTimeMillis() * 1000;
            for (int index = 0; index < uris.size(); index += 1) {
                Uri uri = uris.get(index);
                if (!store(uri, first + index)) failed.put(lastSegment(uri));
            }
            JSObject about = new JSObject().put("failed", failed);
            // Runs on the plugin thread, like adding listeners. The event is retained until a page listens.
            getBridge().execute(() -> notifyListeners("shared", about, true));
        });
    }

    private static List<Uri> sharedUris(Intent intent) {
        List<Uri> uris = new ArrayList<>();
        try {
            if (Intent.ACTION_SEND.equals(intent.getAction())) {
                Uri one = IntentCompat.getParcelableExtra(intent, Intent.EXTRA_STREAM, Uri.class);
                if (one != null) uris.add(one);
            } else if (Intent.ACTION_SEND_MULTIPLE.equals(intent.getAction())) {
                List<?> many = IntentCompat.getParcelableArrayListExtra(intent, Intent.EXTRA_STREAM, Uri.class);
                // Before Android 14, the element types are not checked.
                for (Object each : many == null ? List.of() : many) {
                    if (each instanceof Uri uri) uris.add(uri);
                }
            }
        } catch (RuntimeException error) {
            // Intents of other apps may be malformed; their files are ignored.
            Logger.error("Files", "malformed intent", error);
        }
        return uris;
    }

    /** Copies a shared file. @return whether it was stored */
    private boolean store(Uri uri, long number) {
        if (!isForeign(uri)) {
            Logger.error("Files", "rejected a URI outside other apps", null);
            return false;
        }
        File partial = null;
        try (InputStream in = resolver().openInputStream(uri)) {
            File file = new File(incoming(), number + "-" + nameOf(uri));
            // Written to another folder first, so that partial files are not listed.
            partial = new File(getContext().getCacheDir(), file.getName());
            try (OutputStream out = new FileOutputStream(partial)) {
                copy(in, out);
            }
            if (!partial.renameTo(file)) throw new IOException("The file was not renamed.");
            return true;
        } catch (IOException | RuntimeException error) {
            // Includes exceptions of the other app, such as a missing permission.
            Logger.error("Files", "failed to receive a file", error);
            if (partial != null) drop(partial);
            return false;
        }
    }

    /** Whether another app provides the URI. File URIs and this app's own could expose private files to the sender. */
    private boolean isForeign(Uri uri) {
        String authority = uri.getAuthority();
        if (!ContentResolver.SCHEME_CONTENT.equals(uri.getScheme()) || authority == null) return false;
        // The authority may have a user id as prefix.
        String owner = authority.substring(authority.lastIndexOf('@') + 1);
        return !owner.startsWith(getContext().getPackageName() + ".");
    }

    private String nameOf(Uri uri) {
        String[] columns = { OpenableColumns.DISPLAY_NAME };
        try (Cursor found = resolver().query(uri, columns, null, null, null)) {
            String name = found != null && found.moveToFirst() ? found.getString(0) : null;
            return name == null ? lastSegment(uri) : new File(name).getName();
        }
    }

    /** The last path segment, for files without a display name. */
    private static String lastSegment(Uri uri) {
        String last = uri.getLastPathSegment();
        return last == null ? "audio" : new File(last).getName();
    }

    private static void copy(InputStream in, OutputStream out) throws IOException {
        if (in == null || out == null) throw new IOException("The provider returned no stream.");
        byte[] piece = new byte[64 * 1024];
        for (int read = in.read(piece); read >= 0; read = in.read(piece)) out.write(piece, 0, read);
    }

    private static File[] ordered(File folder) {
        File[] files = folder.listFiles();
        if (files == null) return new File[0];
        Arrays.sort(files);
        return files;
    }

    private static void drop(File file) {
        if (file.exists() && !file.delete()) Logger.error("Files", "failed to delete a file", null);
    }

    private File incoming() {
        return folder(new File(getContext().getFilesDir(), "shared"));
    }

    /** Uses only the last path segment, so that the file stays in its folder. */
    private File outgoing(PluginCall call) {
        String name = new File(call.getString("name", "")).getName();
        return new File(outgoing(), name.isEmpty() ? "file" : name);
    }

    private File outgoing() {
        return folder(new File(getContext().getCacheDir(), "outgoing"));
    }

    private static File folder(File folder) {
        if (!folder.isDirectory() && !folder.mkdirs()) Logger.error("Files", "failed to create a folder", null);
        return folder;
    }

    private ContentResolver resolver() {
        return getContext().getContentResolver();
    }
}
