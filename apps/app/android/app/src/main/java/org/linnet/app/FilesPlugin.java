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
 * Receives files that other apps share, and saves exported files at a location that the user chooses. Received files
 * are stored until they are dropped. The plugin requires no permission, because the user consents to each file.
 */
@CapacitorPlugin(name = "Files")
public class FilesPlugin extends Plugin {

    /** The thread that copies files, so that large files do not block the thread that all plugins share. */
    private final ExecutorService copyExecutor = Executors.newSingleThreadExecutor();

    /** Deletes files that were written for other apps before this start. */
    @Override
    public void load() {
        for (File file : sortedFiles(outgoingFolder())) delete(file);
    }

    /** Stops accepting copies. Pending copies are completed. */
    @Override
    protected void handleOnDestroy() {
        copyExecutor.shutdown();
    }

    /** Receives the files of an intent. Capacitor also calls this with the intent that opened the app. */
    @Override
    protected void handleOnNewIntent(Intent intent) {
        receive(intent);
    }

    /** Writes a piece of an outgoing file. Piece 0 replaces an existing file. Resolves with the file's URI. */
    @PluginMethod
    public void write(PluginCall call) {
        File file = outgoingFile(call);
        boolean append = call.getInt("piece", 0) > 0;
        try (OutputStream out = new FileOutputStream(file, append)) {
            out.write(Base64.decode(call.getString("data", ""), Base64.DEFAULT));
            call.resolve(new JSObject().put("uri", Uri.fromFile(file).toString()));
        } catch (IOException error) {
            call.reject("The file was not written.", "storage_full", error);
        } catch (IllegalArgumentException error) {
            call.reject("Invalid base64 data.", "io_failed", error);
        }
    }

    /** Saves a written file at a location that the user chooses. Resolves with whether it was saved. */
    @PluginMethod
    public void save(PluginCall call) {
        Intent choose = new Intent(Intent.ACTION_CREATE_DOCUMENT)
            .addCategory(Intent.CATEGORY_OPENABLE)
            .setType(call.getString("type", "application/octet-stream"))
            .putExtra(Intent.EXTRA_TITLE, outgoingFile(call).getName());
        try {
            startActivityForResult(call, choose, "onLocationChosen");
        } catch (ActivityNotFoundException error) {
            call.reject("No app can save files.", "unsupported", error);
        }
    }

    @ActivityCallback
    private void onLocationChosen(PluginCall call, ActivityResult result) {
        if (call == null) return;
        Intent data = result.getData();
        if (result.getResultCode() != Activity.RESULT_OK || data == null || data.getData() == null) {
            call.resolve(new JSObject().put("saved", false));
            return;
        }
        Uri location = data.getData();
        copyExecutor.execute(() -> export(call, location));
    }

    private void export(PluginCall call, Uri location) {
        boolean isOpen = false;
        // The mode truncates an existing file, which may be longer.
        try (
            InputStream in = new FileInputStream(outgoingFile(call));
            OutputStream out = resolver().openOutputStream(location, "wt")
        ) {
            isOpen = true;
            copy(in, out);
        } catch (IOException error) {
            if (isOpen) deleteDocument(location);
            call.reject("The file was not written.", "storage_full", error);
            return;
        } catch (RuntimeException error) {
            // The app that provides the location may throw any exception.
            if (isOpen) deleteDocument(location);
            call.reject("The file was not written.", "io_failed", error);
            return;
        }
        call.resolve(new JSObject().put("saved", true));
    }

    /** Deletes a partially written document. */
    private void deleteDocument(Uri location) {
        try {
            boolean isDeleted = DocumentsContract.deleteDocument(resolver(), location);
            if (!isDeleted) Logger.error("Files", "failed to delete a partial file", null);
        } catch (IOException | RuntimeException error) {
            Logger.error("Files", "failed to delete a partial file", error);
        }
    }

    /** Deletes a written file. */
    @PluginMethod
    public void discard(PluginCall call) {
        delete(outgoingFile(call));
        call.resolve();
    }

    /** Lists the received files that are not dropped yet, oldest first. */
    @PluginMethod
    public void shared(PluginCall call) {
        JSArray files = new JSArray();
        for (File file : sortedFiles(incomingFolder())) {
            JSObject properties = new JSObject();
            properties.put("uri", Uri.fromFile(file).toString());
            // A number that makes the name unique precedes it.
            properties.put("name", file.getName().substring(file.getName().indexOf('-') + 1));
            properties.put("modified", file.lastModified());
            files.put(properties);
        }
        call.resolve(new JSObject().put("files", files));
    }

    @PluginMethod
    public void dropShared(PluginCall call) {
        String path = Uri.parse(call.getString("uri", "")).getLastPathSegment();
        if (path != null) delete(new File(incomingFolder(), path));
        call.resolve();
    }

    /** Copies shared files, because the permission to read them ends with this activity. */
    private void receive(Intent intent) {
        if (intent == null || (intent.getFlags() & Intent.FLAG_ACTIVITY_LAUNCHED_FROM_HISTORY) != 0) return;
        List<Uri> uris = sharedUris(intent);
        if (uris.isEmpty()) return;
        copyExecutor.execute(() -> {
            JSArray failed = new JSArray();
            // The numbers sort the files in order of receipt.
            long firstNumber = System.currentTimeMillis() * 1000;
            for (int index = 0; index < uris.size(); index += 1) {
                Uri uri = uris.get(index);
                if (!store(uri, firstNumber + index)) failed.put(lastSegment(uri));
            }
            JSObject event = new JSObject().put("failed", failed);
            // Listeners must be notified on the plugin thread. The event is retained until a page listens.
            getBridge().execute(() -> notifyListeners("shared", event, true));
        });
    }

    private static List<Uri> sharedUris(Intent intent) {
        List<Uri> uris = new ArrayList<>();
        try {
            if (Intent.ACTION_SEND.equals(intent.getAction())) {
                Uri uri = IntentCompat.getParcelableExtra(intent, Intent.EXTRA_STREAM, Uri.class);
                if (uri != null) uris.add(uri);
            } else if (Intent.ACTION_SEND_MULTIPLE.equals(intent.getAction())) {
                List<?> streams = IntentCompat.getParcelableArrayListExtra(intent, Intent.EXTRA_STREAM, Uri.class);
                // Before Android 14, the types of the elements are not checked.
                for (Object stream : streams == null ? List.of() : streams) {
                    if (stream instanceof Uri uri) uris.add(uri);
                }
            }
        } catch (RuntimeException error) {
            // Other apps may send malformed intents, which are ignored.
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
            File file = new File(incomingFolder(), number + "-" + displayName(uri));
            // The file is written in another folder first, so that `shared` lists no partial file.
            partial = new File(getContext().getCacheDir(), file.getName());
            try (OutputStream out = new FileOutputStream(partial)) {
                copy(in, out);
            }
            if (!partial.renameTo(file)) throw new IOException("The file was not renamed.");
            return true;
        } catch (IOException | RuntimeException error) {
            // The other app may throw any exception, for example because of a missing permission.
            Logger.error("Files", "failed to receive a file", error);
            if (partial != null) delete(partial);
            return false;
        }
    }

    /**
     * Returns whether another app provides the URI. With file URIs and URIs of this app, the sender could gain access
     * to private files.
     */
    private boolean isForeign(Uri uri) {
        String authority = uri.getAuthority();
        if (!ContentResolver.SCHEME_CONTENT.equals(uri.getScheme()) || authority == null) return false;
        // The authority may have a user id as its prefix.
        String owner = authority.substring(authority.lastIndexOf('@') + 1);
        return !owner.startsWith(getContext().getPackageName() + ".");
    }

    private String displayName(Uri uri) {
        String[] columns = { OpenableColumns.DISPLAY_NAME };
        try (Cursor cursor = resolver().query(uri, columns, null, null, null)) {
            String name = cursor != null && cursor.moveToFirst() ? cursor.getString(0) : null;
            return name == null ? lastSegment(uri) : new File(name).getName();
        }
    }

    /** Returns the last path segment of a URI, for files without a display name. */
    private static String lastSegment(Uri uri) {
        String last = uri.getLastPathSegment();
        return last == null ? "audio" : new File(last).getName();
    }

    private static void copy(InputStream in, OutputStream out) throws IOException {
        if (in == null || out == null) throw new IOException("The provider returned no stream.");
        byte[] piece = new byte[64 * 1024];
        for (int read = in.read(piece); read >= 0; read = in.read(piece)) out.write(piece, 0, read);
    }

    private static File[] sortedFiles(File folder) {
        File[] files = folder.listFiles();
        if (files == null) return new File[0];
        Arrays.sort(files);
        return files;
    }

    private static void delete(File file) {
        if (file.exists() && !file.delete()) Logger.error("Files", "failed to delete a file", null);
    }

    private File incomingFolder() {
        return createFolder(new File(getContext().getFilesDir(), "shared"));
    }

    /** Returns the outgoing file of a call. Only the last segment of its name is used, so that it is in the folder. */
    private File outgoingFile(PluginCall call) {
        String name = new File(call.getString("name", "")).getName();
        return new File(outgoingFolder(), name.isEmpty() ? "file" : name);
    }

    private File outgoingFolder() {
        return createFolder(new File(getContext().getCacheDir(), "outgoing"));
    }

    private static File createFolder(File folder) {
        if (!folder.isDirectory() && !folder.mkdirs()) Logger.error("Files", "failed to create a folder", null);
        return folder;
    }

    private ContentResolver resolver() {
        return getContext().getContentResolver();
    }
}
