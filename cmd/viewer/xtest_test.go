package main

import (
	"bufio"
	"encoding/binary"
	"fmt"
	"io"
	"net"
	"os"
	"os/exec"
	"strings"
	"testing"
	"time"
)

// xserver is a virtual X server with a pointer and a keyboard. The test moves
// them through the extension XTEST. To the viewer they are real, because it gets
// the events of the server.
type xserver struct {
	t       *testing.T
	display string
	conn    net.Conn
	root    uint32
	xtest   byte
	keys    map[uint32]byte // key codes by keysym
}

var order = binary.LittleEndian

// startX starts an Xvfb. If there is no Xvfb it skips the test.
func startX(t *testing.T, w, h int) *xserver {
	t.Helper()
	path, err := exec.LookPath("Xvfb")
	if err != nil {
		t.Skip(err)
	}
	r, number, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	cmd := exec.Command(path, "-displayfd", "3", "-screen", "0", fmt.Sprintf("%dx%dx24", w, h), "-nolisten", "tcp", "-noreset")
	cmd.ExtraFiles = []*os.File{number}
	err = cmd.Start()
	number.Close()
	if err != nil {
		t.Skip(err)
	}
	t.Cleanup(func() { cmd.Process.Kill(); cmd.Wait() })
	r.SetReadDeadline(time.Now().Add(20 * time.Second))
	line, err := bufio.NewReader(r).ReadString('\n')
	if err != nil {
		t.Skip("Xvfb does not start: ", err)
	}
	x := &xserver{t: t, display: ":" + strings.TrimSpace(line)}
	if x.conn, err = net.Dial("unix", "/tmp/.X11-unix/X"+x.display[1:]); err != nil {
		t.Skip(err)
	}
	t.Cleanup(func() { x.conn.Close() })
	x.conn.SetDeadline(time.Now().Add(2 * time.Minute))
	x.setUp()
	return x
}

func (x *xserver) read(n int) []byte {
	x.t.Helper()
	b := make([]byte, n)
	if _, err := io.ReadFull(x.conn, b); err != nil {
		x.t.Fatal(err)
	}
	return b
}

func (x *xserver) write(b []byte) {
	x.t.Helper()
	order.PutUint16(b[2:], uint16(len(b)/4))
	if _, err := x.conn.Write(b); err != nil {
		x.t.Fatal(err)
	}
}

// reply reads the reply to the last request. It ignores events.
func (x *xserver) reply() []byte {
	x.t.Helper()
	head := x.read(32)
	for head[0] > 1 {
		head = x.read(32)
	}
	if head[0] != 1 {
		x.t.Fatalf("the X server answers % x", head)
	}
	return append(head, x.read(4*int(order.Uint32(head[4:])))...)
}

// setUp opens the connection, and finds the extension XTEST and the keys.
func (x *xserver) setUp() {
	if _, err := x.conn.Write([]byte{'l', 0, 11, 0, 0, 0, 0, 0, 0, 0, 0, 0}); err != nil {
		x.t.Fatal(err)
	}
	head := x.read(8)
	body := x.read(4 * int(order.Uint16(head[6:])))
	if head[0] != 1 {
		x.t.Skipf("the X server refuses: %q", body)
	}
	vendor := (int(order.Uint16(body[16:])) + 3) &^ 3
	x.root = order.Uint32(body[32+vendor+8*int(body[21]):])
	low, high := body[26], body[27]

	const name = "XTEST"
	b := make([]byte, 16)
	b[0] = 98 // QueryExtension
	order.PutUint16(b[4:], uint16(len(name)))
	copy(b[8:], name)
	x.write(b)
	r := x.reply()
	if r[8] == 0 {
		x.t.Skip("the X server has no XTEST")
	}
	x.xtest = r[9]

	x.write([]byte{101, 0, 0, 0, low, high - low + 1, 0, 0}) // GetKeyboardMapping
	r = x.reply()
	per := int(r[1])
	x.keys = map[uint32]byte{}
	for i := 0; 32+4*i*per < len(r); i++ {
		if sym := order.Uint32(r[32+4*i*per:]); sym != 0 {
			x.keys[sym] = low + byte(i)
		}
	}
}

// fake sends an event of the pointer or of the keyboard.
func (x *xserver) fake(kind, detail byte, px, py int) {
	b := make([]byte, 36)
	b[0], b[1], b[4], b[5] = x.xtest, 2, kind, detail
	order.PutUint32(b[12:], x.root)
	order.PutUint16(b[24:], uint16(px))
	order.PutUint16(b[26:], uint16(py))
	x.write(b)
}

// setDPI sets the resolution of the display. GLFW computes its scale from it.
func (x *xserver) setDPI(dpi int) {
	text := fmt.Sprintf("Xft.dpi:\t%d\n", dpi)
	b := make([]byte, 24+(len(text)+3)&^3)
	b[0] = 18 // ChangeProperty
	order.PutUint32(b[4:], x.root)
	order.PutUint32(b[8:], 23)  // RESOURCE_MANAGER
	order.PutUint32(b[12:], 31) // STRING
	b[16] = 8
	order.PutUint32(b[20:], uint32(len(text)))
	copy(b[24:], text)
	x.write(b)
	x.sync()
}

// sync waits until the server has processed all requests.
func (x *xserver) sync() {
	x.write([]byte{43, 0, 0, 0}) // GetInputFocus
	x.reply()
}

func (x *xserver) move(px, py int) { x.fake(6, 0, px, py); x.sync() }

func (x *xserver) button(n byte, down bool) {
	kind := byte(5)
	if down {
		kind = 4
	}
	x.fake(kind, n, 0, 0)
	x.sync()
}

// These are keysyms other than those of ASCII. The keysyms of ASCII are the
// characters.
const (
	symReturn = 0xff0d
	symEscape = 0xff1b
	symHome   = 0xff50
	symEnd    = 0xff57
	symF1     = 0xffbe
	symF12    = 0xffc9
)

func (x *xserver) key(sym uint32) {
	x.t.Helper()
	code, ok := x.keys[sym]
	if !ok {
		x.t.Fatalf("no key for keysym %x", sym)
	}
	x.fake(2, code, 0, 0)
	x.fake(3, code, 0, 0)
	x.sync()
}
