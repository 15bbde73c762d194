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
 * Files that come and go: what other apps share with this one is kept until it is dropped, and what the pages made
 * is written where its owner says. It needs no permission: Android asks for each file.
 */
@CapacitorPlugin(name = "Files")
public class FilesPlugin extends Plugin {

    /** Files may be large, and all plugins share one thread: what is copied must not hold it up. */
    private final ExecutorService copies = Executors.newSingleThreadExecutor();

    /** What was lent to other apps before this start, they have read by now. */
    @Override
    public void load() {
        for (File file : ordered(outgoing())) drop(file);
    }

    /** What was begun is still copied. */
    @Override
    protected void handleOnDestroy() {
        copies.shutdown();
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
        } catch (IllegalArgumentException error) {
            call.reject("not base64", "io_failed", error);
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
        copies.execute(() -> export(call, place));
    }

    private void export(PluginCall call, Uri place) {
        boolean begun = false;
        // Cut to nothing first: what was there may be longer.
        try (
            InputStream in = new FileInputStream(outgoing(call));
            OutputStream out = resolver().openOutputStream(place, "wt")
        ) {
            begun = true;
            copy(in, out);
        } catch (IOException error) {
            if (begun) dropDocument(place);
            call.reject("not written", "storage_full", error);
            return;
        } catch (RuntimeException error) {
            // Whatever the app that keeps it threw.
            if (begun) dropDocument(place);
            call.reject("not written", "io_failed", error);
            return;
        }
        call.resolve(new JSObject().put("saved", true));
    }

    /** Half a file is worse than none. */
    private void dropDocument(Uri place) {
        try {
            if (!DocumentsContract.deleteDocument(resolver(), place)) Logger.error("Files", "half is left", null);
        } catch (IOException | RuntimeException error) {
            Logger.error("Files", "half is left", error);
        }
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
        List<Uri> given = streamsOf(intent);
        if (given.isEmpty()) return;
        copies.execute(() -> {
            JSArray failed = new JSArray();
            // In their order, and after what came before.
            long first = System.currentTimeMillis() * 1000;
            for (int nth = 0; nth < given.size(); nth += 1) {
                Uri uri = given.get(nth);
                if (!keep(uri, first + nth)) failed.put(lastOf(uri));
            }
            JSObject about = new JSObject().put("failed", failed);
            // On the thread of all plugins, as listeners come; kept until the pages listen.
            getBridge().execute(() -> notifyListeners("shared", about, true));
        });
    }

    private static List<Uri> streamsOf(Intent intent) {
        List<Uri> given = new ArrayList<>();
        try {
            if (Intent.ACTION_SEND.equals(intent.getAction())) {
                Uri one = IntentCompat.getParcelableExtra(intent, Intent.EXTRA_STREAM, Uri.class);
                if (one != null) given.add(one);
            } else if (Intent.ACTION_SEND_MULTIPLE.equals(intent.getAction())) {
                List<?> many = IntentCompat.getParcelableArrayListExtra(intent, Intent.EXTRA_STREAM, Uri.class);
                // Of what kind each is, nobody has looked before Android 14.
                for (Object each : many == null ? List.of() : many) {
                    if (each instanceof Uri uri) given.add(uri);
                }
            }
        } catch (RuntimeException error) {
            // Anybody may send anything: what cannot be unpacked is nothing.
            Logger.error("Files", "not understood", error);
        }
        return given;
    }

    /** @return whether it is kept */
    private boolean keep(Uri uri, long number) {
        if (!isOthers(uri)) {
            Logger.error("Files", "not another app's to share", null);
            return false;
        }
        File half = null;
        try (InputStream in = resolver().openInputStream(uri)) {
            File file = new File(incoming(), number + "-" + nameOf(uri));
            // Written under another name first: what is half here is not listed.
            half = new File(getContext().getCacheDir(), file.getName());
            try (OutputStream out = new FileOutputStream(half)) {
                copy(in, out);
            }
            if (!half.renameTo(file)) throw new IOException("not renamed");
            return true;
        } catch (IOException | RuntimeException error) {
            // Also what the other app threw, as for want of a leave to read.
            Logger.error("Files", "not taken over", error);
            if (half != null) drop(half);
            return false;
        }
    }

    /** Only what another app keeps is taken: the sender of a file or of our own address would have us read for it. */
    private boolean isOthers(Uri uri) {
        String authority = uri.getAuthority();
        if (!ContentResolver.SCHEME_CONTENT.equals(uri.getScheme()) || authority == null) return false;
        // A user's number may stand before it.
        String owner = authority.substring(authority.lastIndexOf('@') + 1);
        return !owner.startsWith(getContext().getPackageName() + ".");
    }

    private String nameOf(Uri uri) {
        String[] wanted = { OpenableColumns.DISPLAY_NAME };
        try (Cursor found = resolver().query(uri, wanted, null, null, null)) {
            String name = found != null && found.moveToFirst() ? found.getString(0) : null;
            return name == null ? lastOf(uri) : new File(name).getName();
        }
    }

    /** A name where nobody tells one. */
    private static String lastOf(Uri uri) {
        String last = uri.getLastPathSegment();
        return last == null ? "audio" : new File(last).getName();
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
