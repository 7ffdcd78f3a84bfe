package main

import (
	"bufio"
	"halfstep/cmd/viewer/outfile"
	"io"
	"math"
	"strconv"
)

// writePlot writes the file of -plot, once physics has ended.
func (v *viewer) writePlot(rate float64) error {
	if v.o.Plot == "" {
		return nil
	}
	rows := v.stage.player.samples.logged
	return outfile.Replace(v.o.Plot, func(w io.Writer) error { return writeCSV(w, rate, rows) })
}

// exportPlot writes all values of the chosen body to a new file.
func (v *viewer) exportPlot() {
	var rows []loggedSample
	from, to := v.sampler.plotSpan()
	for tick := from; tick <= to; tick++ {
		row := loggedSample{tick: tick}
		noted := false
		for i := range plotted {
			x, ok := v.sampler.sampled(tick, i)
			if row.values[i] = x; !ok {
				row.values[i] = math.NaN()
			}
			noted = noted || ok
		}
		if noted {
			rows = append(rows, row)
		}
	}
	path, err := outfile.Free("halfstep-%03d.csv", "tables")
	if err != nil {
		v.say(err.Error())
		return
	}
	rate := v.stage.player.Rate().Float()
	v.files.wg.Add(1)
	go func() {
		defer v.files.wg.Done()
		v.files.wrote(path, outfile.Replace(path, func(w io.Writer) error { return writeCSV(w, rate, rows) }))
	}()
}

// csvHeader has the names of the columns: tick and time, and those of plotted.
const csvHeader = "tick,time_s,x,y,speed,angle,energy,joint_force,joint_angle,energy_of_all\n"

// writeCSV writes rows of values. rate is in steps per second. A value that is not known is left empty.
func writeCSV(to io.Writer, rate float64, rows []loggedSample) error {
	w := bufio.NewWriter(to)
	w.WriteString(csvHeader)
	for i := range rows {
		b := strconv.AppendUint(nil, rows[i].tick, 10)
		b = strconv.AppendFloat(append(b, ','), float64(rows[i].tick)/rate, 'g', -1, 64)
		for _, x := range rows[i].values {
			if b = append(b, ','); x == x {
				b = strconv.AppendFloat(b, x, 'g', -1, 64)
			}
		}
		w.Write(append(b, '\n'))
	}
	return w.Flush()
}
