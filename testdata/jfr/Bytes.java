import java.io.*;
/* What a recording of waits has: one-byte reads and writes, a sleep, a wait, collections. */
public class Bytes {
    static long sum;
    static void writeAll(File file, int bytes) throws IOException {
        try (FileOutputStream out = new FileOutputStream(file)) {
            for (int i = 0; i < bytes; i++) out.write(i);
        }
    }
    static void readAll(File file, int times) throws IOException {
        for (int i = 0; i < times; i++)
            try (FileInputStream in = new FileInputStream(file)) {
                for (int b; (b = in.read()) >= 0;) sum += b;
            }
    }
    static void collect() {
        for (int i = 0; i < 3; i++) System.gc();
    }
    static synchronized void waitAWhile() throws InterruptedException {
        Bytes.class.wait(20);
    }
    public static void main(String[] arguments) throws Exception {
        File file = new File("bytes.bin");
        writeAll(file, 100);
        readAll(file, Integer.parseInt(arguments[0]));
        Thread.sleep(30);
        waitAWhile();
        collect();
        file.delete();
        System.out.println(sum);
    }
}
