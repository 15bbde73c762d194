package org.linnet.app;

import android.app.Activity;
import android.content.ActivityNotFoundException;
import android.content.ContentResolver;
import android.content.Intent;
import android.database.Cursor;
import android.net.Uri;
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

/**
 * Files that come and go: what other apps share with this one is kept until it is dropped, and what the pages made
 * is written where its owner says. It needs no permission: Android asks for each file.
 */
@CapacitorPlugin(name = "Files")
public class FilesPlugin extends Plugin {

    /** What was lent to other apps before this start, they have read by now. */
    @Override
    public void load() {
        for (File file : ordered(outgoing())) drop(file);
    }

    /** Also told the intent that started the app. */
    @Override
    protected void handleOnNewIntent(Intent intent) {
        take(intent);
    }

    /** Writes a piece of a file that goes out; piece 0 begins it anew. Resolves with its address. */
    @PluginMethod
    public void write(PluginCall call) {
        File file = outgoing(call);
        boolean more = call.getInt("piece", 0) > 0;
        try (OutputStream out = new FileOutputStream(file, more)) {
            out.write(Base64.decode(call.getString("data", ""), Base64.DEFAULT));
            call.resolve(new JSObject().put("uri", Uri.fromFile(file).toString()));
        } catch (IOException error) {
            call.reject("not written", "storage_full", error);
        }
    }

    /** Has the owner say where a written file shall be kept. Resolves with whether it is. */
    @PluginMethod
    public void save(PluginCall call) {
        Intent choose = new Intent(Intent.ACTION_CREATE_DOCUMENT)
            .addCategory(Intent.CATEGORY_OPENABLE)
            .setType(call.getString("type", "application/octet-stream"))
            .putExtra(Intent.EXTRA_TITLE, outgoing(call).getName());
        try {
            startActivityForResult(call, choose, "chosen");
        } catch (ActivityNotFoundException error) {
            call.reject("nothing here keeps files", "unsupported", error);
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
        Uri place = answer.getData();
        getBridge().execute(() -> {
            try (
                InputStream in = new FileInputStream(outgoing(call));
                OutputStream out = resolver().openOutputStream(place)
            ) {
                copy(in, out);
                call.resolve(new JSObject().put("saved", true));
            } catch (IOException error) {
                call.reject("not written", "storage_full", error);
            }
        });
    }

    /** Drops a written file. */
    @PluginMethod
    public void discard(PluginCall call) {
        drop(outgoing(call));
        call.resolve();
    }

    /** What other apps shared and was not dropped, the oldest first. */
    @PluginMethod
    public void shared(PluginCall call) {
        JSArray files = new JSArray();
        for (File file : ordered(incoming())) {
            JSObject about = new JSObject();
            about.put("uri", Uri.fromFile(file).toString());
            // Behind the number that keeps names apart.
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

    /** Keeps what an app shares: its leave to read ends with this screen. */
    private void take(Intent intent) {
        if (intent == null || (intent.getFlags() & Intent.FLAG_ACTIVITY_LAUNCHED_FROM_HISTORY) != 0) return;
        List<Uri> given = new ArrayList<>();
        if (Intent.ACTION_SEND.equals(intent.getAction())) {
            Uri one = IntentCompat.getParcelableExtra(intent, Intent.EXTRA_STREAM, Uri.class);
            if (one != null) given.add(one);
        } else if (Intent.ACTION_SEND_MULTIPLE.equals(intent.getAction())) {
            List<Uri> many = IntentCompat.getParcelableArrayListExtra(intent, Intent.EXTRA_STREAM, Uri.class);
            if (many != null) given.addAll(many);
        }
        if (given.isEmpty()) return;
        // A screen that is made anew gets the same intent again.
        intent.setAction(Intent.ACTION_MAIN);
        getBridge().execute(() -> {
            // In their order, and after what came before.
            long first = System.currentTimeMillis() * 1000;
            for (int nth = 0; nth < given.size(); nth += 1) keep(given.get(nth), first + nth);
            notifyListeners("shared", new JSObject());
        });
    }

    private void keep(Uri uri, long number) {
        File file = new File(incoming(), number + "-" + nameOf(uri));
        // Written under another name first: what is half here is not listed.
        File half = new File(getContext().getCacheDir(), file.getName());
        try (InputStream in = resolver().openInputStream(uri); OutputStream out = new FileOutputStream(half)) {
            copy(in, out);
        } catch (IOException | SecurityException error) {
            Logger.error("Files", "not taken over", error);
            drop(half);
            return;
        }
        if (!half.renameTo(file)) Logger.error("Files", "not kept", null);
    }

    private String nameOf(Uri uri) {
        String[] wanted = { OpenableColumns.DISPLAY_NAME };
        try (Cursor found = resolver().query(uri, wanted, null, null, null)) {
            String name = found != null && found.moveToFirst() ? found.getString(0) : uri.getLastPathSegment();
            return name == null ? "audio" : new File(name).getName();
        }
    }

    private static void copy(InputStream in, OutputStream out) throws IOException {
        if (in == null || out == null) throw new IOException("nothing there");
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
        if (file.exists() && !file.delete()) Logger.error("Files", "not dropped", null);
    }

    private File incoming() {
        return folder(new File(getContext().getFilesDir(), "shared"));
    }

    /** The name alone: nothing outside of its folder. */
    private File outgoing(PluginCall call) {
        String name = new File(call.getString("name", "")).getName();
        return new File(outgoing(), name.isEmpty() ? "file" : name);
    }

    private File outgoing() {
        return folder(new File(getContext().getCacheDir(), "outgoing"));
    }

    private static File folder(File folder) {
        if (!folder.isDirectory() && !folder.mkdirs()) Logger.error("Files", "no folder", null);
        return folder;
    }

    private ContentResolver resolver() {
        return getContext().getContentResolver();
    }
}
